"""Open a source of labelled documents, whatever it is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from termfold.corpus.batch import OnError, Progress, Request
from termfold.corpus.identity import identity_of, state_of
from termfold.corpus.shape import Kind, shape
from termfold.corpus.sources import find_readers
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from termfold.corpus.batch import Batch, Reader, Skipped


class Corpus:
    """Documents of one or more sources, read in batches each time it is iterated.

    Made by :func:`open_corpus`. A source that can be read only once, such as a generator, makes
    the second pass fail instead of being empty.

    Parameters
    ----------
    readers : sequence of Reader
        The sources in their order.
    request : Request
        What was asked of them all.
    on_error : {"fail", "skip"}
        What to do with a row that cannot be used.
    multilabel : bool or None
        Whether a document may have no or several labels; None takes what the first source shows.

    Attributes
    ----------
    labelled : bool
        Whether the documents come with labels.
    multilabel : bool
        Whether a document may have no or several labels.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        request: Request,
        on_error: OnError,
        multilabel: bool | None,
    ) -> None:
        self._readers = readers
        self._request = request
        self._progress = Progress(on_error)
        self._passes = 0
        first = readers[0]
        self.labelled = first.has_labels() and request.label is not None
        lists = first.has_label_lists() or request.label_separator is not None
        self.multilabel = self.labelled and (lists if multilabel is None else multilabel)

    def __iter__(self) -> Iterator[Batch]:
        if self._passes and any(reader.once for reader in self._readers):
            raise CorpusError(
                "This corpus was read already, and its source can be read only once. Open it "
                "anew, or give a list, a table or a file instead."
            )
        self._passes += 1
        progress = self._progress = Progress(self._progress.on_error)
        return self._batches(progress)

    def _batches(self, progress: Progress) -> Iterator[Batch]:
        kind = Kind(self.labelled, self.multilabel)
        found = False
        for reader in self._readers:
            before = state_of(reader)
            for chunk in reader.chunks(progress):
                for batch in shape(chunk, self._request, kind, progress):
                    found = True
                    if reader.size is None:
                        progress.position += batch.text.nbytes
                    yield batch
            if state_of(reader) != before:
                raise CorpusError(
                    f"{before[0]}: the file changed while it was read, so that documents may be "
                    "missing. Read it again when nobody writes to it."
                )
            progress.finished_bytes += progress.position if reader.size is None else reader.size
            progress.position = 0
        if not found:
            raise CorpusError(
                f"The corpus has no documents{_why(progress.skipped)}. Check that the source is "
                "the right one and not empty."
            )

    @property
    def size_bytes(self) -> int | None:
        """Bytes on disk of all files; None for sources in memory."""
        sizes = [reader.size for reader in self._readers]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def bytes_read(self) -> int:
        """About how many bytes the current pass has read: of `size_bytes`, or of text."""
        return self._progress.finished_bytes + self._progress.position

    def identity(self) -> dict[str, Any] | None:
        """What tells that it is the same files, read in the same way; None without files."""
        files = identity_of(self._readers)
        how = {
            **asdict(self._request),
            "on_error": self._progress.on_error,
            "multilabel": self.multilabel,
        }
        return None if files is None else {**files, "read": how}

    @property
    def skipped(self) -> Skipped:
        """Rows that the current or last pass has skipped."""
        return self._progress.skipped


def _why(skipped: Skipped) -> str:
    if not skipped.count:
        return ""
    return f": all {skipped.count} rows were skipped, the first as {skipped.reasons[0]}"


def open_corpus(
    source: Any,
    *,
    labels: Any = None,
    text: str | int = "text",
    label: str | int | None = "label",
    label_separator: str | None = None,
    encoding: str = "utf-8",
    format: str | None = None,
    on_error: OnError = "fail",
    batch_bytes: int = 2 << 20,
    keep_columns: bool = False,
    header: bool = True,
    multilabel: bool | None = None,
) -> Corpus:
    """Open labelled documents, to be read in batches of bounded size.

    Parameters
    ----------
    source : path, list of Path, folder, table, sequence of str, iterable of Batch, or Corpus
        - A path or glob (``str`` or ``Path``) or a list of ``Path``: files of CSV, TSV, JSON
          Lines, Parquet or Arrow (Feather), all but Parquet also compressed as .gz or .zst.
        - A folder: of such files, if one lies right in it or all below it are such; otherwise of
          one document per file, the class being the name of the first sub-folder.
        - A table: anything with ``__arrow_c_stream__`` (of pandas, Polars, pyarrow, DuckDB ...),
          or a dataset of Hugging Face's ``datasets``.
        - A list, tuple, array or series of ``str``: always documents, never paths.
        - An iterable of :class:`Batch`.
        - A :class:`Corpus`, returned as it is.
    labels : sequence, optional
        Labels of a sequence of ``str``, one for each: strings, numbers, or lists of these. Without,
        the documents are unlabelled.
    text : str or int, default="text"
        Name or position of the column of documents.
    label : str, int or None, default="label"
        Name or position of the column of labels; None reads unlabelled documents.
    label_separator : str, optional
        What stands between several labels in one string.
    encoding : str, default="utf-8"
        Encoding of CSV, JSON Lines and documents in folders. A byte order mark is dropped.
    format : str, optional
        An extension (``"csv"``, ``"jsonl"`` ...) to read files as, whatever theirs is, or
        ``"folder"`` for one document per file.
    on_error : {"fail", "skip"}, default="fail"
        Whether a row that cannot be used is an error or is left out and counted in
        ``Corpus.skipped``.
    batch_bytes : int, default=2 MiB
        About how many bytes of text a batch holds; a longer document is a batch of its own.
    keep_columns : bool, default=False
        Whether batches carry all other columns in ``Batch.table``; of a folder of documents,
        ``file``, the path of each.
    header : bool, default=True
        Whether CSV and TSV files have a header. Without, columns are named by position.
    multilabel : bool, optional
        Whether a document may have no or several labels. By default, it may if
        `label_separator` is given or the labels of the first source are lists.

    Returns
    -------
    Corpus
        The documents.

    Raises
    ------
    CorpusError
        If there is no such source, column or format. Rows that cannot be used are found when the
        corpus is iterated.

    Examples
    --------
    >>> corpus = open_corpus(["a fine film", "a dull one"], labels=["pos", "neg"])
    >>> for batch in corpus:
    ...     print(batch.text.to_pylist(), batch.labels.to_pylist())
    ['a fine film', 'a dull one'] [['pos'], ['neg']]
    """
    if isinstance(source, Corpus):
        return source
    if on_error not in ("fail", "skip"):
        raise CorpusError(f"on_error={on_error!r} is unknown. Choose 'fail' or 'skip'.")
    if batch_bytes < 1:
        raise CorpusError(f"batch_bytes={batch_bytes} is too small. Give at least 1.")
    request = Request(text, label, label_separator, encoding, header, batch_bytes, keep_columns)
    readers = find_readers(source, labels, request, format)
    return Corpus(readers, request, on_error, multilabel)
