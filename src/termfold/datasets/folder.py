"""Where the collections lie that do not come with termfold."""

from __future__ import annotations

import os
from pathlib import Path

from termfold.errors import CorpusError

DATA_VARIABLE = "TERMFOLD_DATA"


def find_data_file(name: str, path: str | Path | None) -> Path:
    """Find a file of a collection that does not come with termfold.

    Parameters
    ----------
    name : str
        Name of the file in the folder of collections.
    path : str, Path or None
        The file itself or its folder; None for the folder in ``TERMFOLD_DATA``.

    Returns
    -------
    Path
        The file, which exists.
    """
    place = path if path is not None else os.environ.get(DATA_VARIABLE)
    if place is None:
        where = f"the environment variable {DATA_VARIABLE} is not set"
    else:
        file = Path(place)
        file = file / name if file.is_dir() else file
        if file.is_file():
            return file
        where = f"there is no {file}"
    raise CorpusError(
        f"{name} does not come with termfold, and {where}. Give path= (the file or its folder), "
        f"or set {DATA_VARIABLE} to the folder that holds it."
    )
