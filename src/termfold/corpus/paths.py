"""From a path, a glob, a folder or a list of paths to the files to read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Format of the files with an extension.
EXTENSIONS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True)
class DataFile:
    """A file of many documents, its format and the compression around it."""

    path: Path
    format: str
    compression: str | None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size


def data_format(path: Path) -> str | None:
    """Format that the name of a file tells, whatever its compression.

    Examples
    --------
    >>> data_format(Path("posts.csv.gz")), data_format(Path("notes.txt"))
    ('csv', None)
    """
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    return EXTENSIONS.get(name.suffix.lower())


def find_files(source: str | Path | Sequence[Path], format: str | None) -> list[DataFile] | Path:
    """Find the data files of a source in a fixed order, or the one folder of documents it is.

    A folder holds data files if a file right in it has the extension of one, or if all files
    anywhere in it do; otherwise it holds one document per file.
    """
    known = {extension.removeprefix("."): kind for extension, kind in EXTENSIONS.items()}
    if format is not None and format not in (*known, "folder"):
        raise CorpusError(
            f"format={format!r} is unknown. Choose one of {', '.join(known)} and folder."
        )
    kind = None if format is None else known.get(format, "folder")
    if not isinstance(source, (str, Path)):
        return [file for path in source for file in _expand_only_files(path, kind)]
    found = _expand(source, kind)
    return found if isinstance(found, Path) else list(found)


def _expand_only_files(path: Path, kind: str | None) -> list[DataFile]:
    found = _expand(path, kind)
    if isinstance(found, Path):
        raise CorpusError(
            f"{path}: a folder of documents cannot be one of several sources. "
            "Open it by itself, or name the folder above it."
        )
    return found


def _expand(source: str | Path, kind: str | None) -> list[DataFile] | Path:
    path = Path(source).expanduser()
    if path.is_dir():
        return _expand_folder(path, kind)
    if kind == "folder":
        raise CorpusError(f"{path}: format='folder' needs a folder, and there is none here.")
    if path.exists():
        return [_data_file(path, kind)]
    if any(sign in str(path) for sign in "*?["):
        # Path.glob takes patterns relative to a folder only.
        relative = path.relative_to(path.anchor)
        # All but folders: what cannot be read must not be left out without a word.
        found = sorted(file for file in Path(path.anchor).glob(str(relative)) if not file.is_dir())
        if not found:
            raise CorpusError(f"{source}: no file matches this pattern. Check its folder.")
        return [_data_file(file, kind) for file in found]
    raise CorpusError(
        f"{source}: there is no such file or folder. Check the path; files elsewhere must be "
        "fetched first, and a single text is given as a list, [text]."
    )


def _expand_folder(folder: Path, kind: str | None) -> list[DataFile] | Path:
    if kind == "folder":
        return folder
    direct = any(child.is_file() and data_format(child) for child in folder.iterdir())
    if next(walk(folder), None) is None:
        raise CorpusError(f"{folder}: the folder holds no files. Check the path.")
    if kind is None and not direct and not all(map(data_format, walk(folder))):
        return folder
    found = [
        _data_file(file, kind)
        for file in walk(folder)
        # Others put notes and marks of success beside their data (README, _SUCCESS).
        if data_format(file) is not None and not file.name.startswith("_")
    ]
    if not found:
        raise CorpusError(
            f"{folder}: no file in the folder has an extension of a data file "
            f"({', '.join(EXTENSIONS)}). Give the files as a pattern, such as '{folder}/*'."
        )
    return found


def walk(folder: Path, above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """All files below a folder in the order of their names, hidden ones left out.

    Links are followed, but not those to a folder that they lie in: they would go round for ever.
    """
    above = (*above, folder.resolve())
    try:
        children = sorted(folder.iterdir(), key=lambda child: child.name)
    except OSError as error:
        raise CorpusError(
            f"{folder}: the folder cannot be read ({error.strerror}). Allow it, or name the "
            "folders or files beside it."
        ) from error
    for child in children:
        if child.name.startswith("."):
            continue
        if child.is_dir():
            if not child.is_symlink() or child.resolve() not in above:
                yield from walk(child, above)
        elif child.is_file() or child.is_symlink():  # a link that leads nowhere is reported later
            yield child


def _data_file(path: Path, kind: str | None) -> DataFile:
    if not path.is_file():
        raise CorpusError(
            f"{path}: neither a file nor a folder. A link may lead nowhere; a pipe must be written "
            "to a file first, since data files are read more than once."
        )
    kind = kind or data_format(path)
    if kind is None:
        raise CorpusError(
            f"{path}: the extension {path.suffix!r} tells no format. Name it with format= "
            f"(one of {', '.join(sorted({*EXTENSIONS.values()}))}); a folder with one file per "
            "document is given as the folder."
        )
    compression = COMPRESSIONS.get(path.suffix.lower())
    if compression and kind == "parquet":
        raise CorpusError(
            f"{path}: Parquet cannot be read through {path.suffix}, and compresses its columns "
            "itself. Decompress the file first."
        )
    return DataFile(path, kind, compression)
