"""Matrices of counts that were distributed with the clustering toolkit CLUTO."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from termfold.datasets.dataset import MatrixDataset
from termfold.datasets.folder import find_data_file


def load_cluto(name: str, *, path: str | Path | None = None) -> MatrixDataset:
    """Load one of the matrices that were distributed with CLUTO.

    Parameters
    ----------
    name : str
        Name of the collection, such as ``"re0"`` or ``"k1b"``.
    path : str or Path, optional
        The ``.npz`` file or its folder. By default, the folder ``cluto`` in the one that the
        environment variable ``TERMFOLD_DATA`` names.

    Returns
    -------
    MatrixDataset
        The counts and the classes.

    Raises
    ------
    CorpusError
        If the file is absent.
    """
    # k1a and k1b are the same documents in finer and coarser classes.
    stored = "k1a" if name == "k1b" else name
    if path is not None and (Path(path) / "cluto").is_dir():
        path = Path(path) / "cluto"
    file = find_data_file(f"{stored}.npz" if path is not None else f"cluto/{stored}.npz", path)
    with np.load(file) as arrays:
        counts = (
            arrays["data"].astype(np.float64),
            arrays["indices"].astype(np.int32),
            arrays["indptr"],
        )
        return MatrixDataset(
            name,
            sparse.csr_matrix(counts, shape=tuple(arrays["shape"])),
            arrays["y_k1b" if name == "k1b" else "y"].astype(np.int64),
            arrays["class_names"].tolist() if "class_names" in arrays else None,
            arrays["terms"].tolist() if "terms" in arrays else None,
        )
