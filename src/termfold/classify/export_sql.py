"""A model as tables and a query: score documents where they are, in a database."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import pyarrow as pa

from termfold.classify.model import TermModel
from termfold.terms.unicode import CJK, unicode_tables

Dialect: TypeAlias = Literal["duckdb", "spark"]

_TF = {"binary": "1.0", "count": "o.n", "sublinear": "1 + ln(o.n)"}
_LENGTH = {"none": "1.0", "l1": "sum(x)", "l2": "sqrt(sum(x * x))"}
_QUOTE: dict[Dialect, str] = {"duckdb": '"', "spark": "`"}


class SqlModel(NamedTuple):
    """Tables to be created by their names, and queries over these and the documents.

    ``scores`` gives ``id, class, score`` for every document and class. ``predictions`` gives the
    same columns: for one label the best class of every document, for several labels a row for
    each class whose threshold is reached.
    """

    tables: dict[str, pa.Table]
    scores: str
    predictions: str


def to_sql(
    model: TermModel,
    table_prefix: str = "termfold_",
    dialect: Dialect = "duckdb",
    *,
    documents: str = "documents",
    id_column: str = "id",
    text_column: str = "text",
) -> SqlModel:
    """Turn a model into SQL that scores documents.

    Parameters
    ----------
    model : TermModel
        Of words; n-grams of words or characters cannot be expressed, CJK bigrams can.
    table_prefix : str, default="termfold_"
        Begins the names of the tables ``terms``, ``weights`` and ``classes``.
    dialect : {"duckdb", "spark"}, default="duckdb"
        Only the first is tested against the model's scores.
    documents : str, default="documents"
        Table of the documents, or anything else that may follow FROM.
    id_column, text_column : str
        Its columns. Ids must be distinct; a text that is NULL has no terms.

    Returns
    -------
    SqlModel

    Notes
    -----
    Scores are the model's, up to the rounding of its 32-bit numbers, unless a text holds one of
    few characters. DuckDB makes of the Turkish İ an i (Python: an i and a combining dot, which
    splits the word), and σ of a capital sigma at the end of a word (Python: ς). A database may
    know letters that were added to Unicode later than the running Python's version.

    Examples
    --------
    >>> from termfold.classify.text_classifier import TextClassifier
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> y = ["spam", "ham", "spam", "ham"]
    >>> sql = to_sql(TextClassifier(effort="rule").fit(texts, y).model_)
    >>> {name: table.column_names for name, table in sql.tables.items()}
    {'termfold_terms': ['term', 'idf'],
     'termfold_weights': ['term', 'class', 'weight'],
     'termfold_classes': ['class', 'place', 'bias', 'threshold']}
    """
    if dialect not in get_args(Dialect):
        raise ValueError(f"dialect={dialect!r}; it must be one of {list(get_args(Dialect))}")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", table_prefix):
        raise ValueError(
            f"table_prefix={table_prefix!r}; it must be a name: letters, digits, '_' and '.'"
        )
    _refuse(model)
    id_, text = (_quoted(name, dialect) for name in (id_column, text_column))
    if model.analyzer.lowercase:
        text = f"lower({text})"
    words = "\n  UNION ALL ".join(
        f"SELECT id, {terms} AS term FROM given_texts"
        for terms in _term_expressions(model, "text", dialect)
    )
    scores = f"""WITH given_texts AS (
  SELECT {id_} AS id, {text} AS text FROM {documents}
),
words AS (
  {words}
),
occurrences AS (
  SELECT id, term, count(*) AS n FROM words GROUP BY id, term
),
inputs AS (
  SELECT o.id, o.term, ({_TF[model.tf]}) * t.idf AS x
  FROM occurrences o JOIN {table_prefix}terms t ON o.term = t.term
),
lengths AS (
  SELECT id, {_LENGTH[model.norm]} AS length FROM inputs GROUP BY id
),
sums AS (
  SELECT i.id, w.class, sum(i.x * w.weight) AS total
  FROM inputs i JOIN {table_prefix}weights w ON i.term = w.term
  GROUP BY i.id, w.class
)
SELECT d.id, c.class, coalesce(s.total / nullif(l.length, 0), 0) + c.bias AS score
FROM given_texts d
CROSS JOIN {table_prefix}classes c
LEFT JOIN lengths l ON l.id = d.id
LEFT JOIN sums s ON s.id = d.id AND s.class = c.class"""
    return SqlModel(_tables(model, table_prefix), scores, _predictions(model, scores, table_prefix))


def _refuse(model: TermModel) -> None:
    """Raise an error for terms that SQL cannot find."""
    if model.analyzer.unit != "word":
        raise ValueError(
            f"terms of unit={model.analyzer.unit!r} cannot be found in SQL; only words can"
        )
    phrase = next((term for term in model.terms if " " in term), None)
    if phrase is not None:
        raise ValueError(
            f"n-grams of words cannot be found in SQL, and the model has {phrase!r}; "
            "fit it with ngram_range=(1, 1)"
        )


def _tables(model: TermModel, prefix: str) -> dict[str, pa.Table]:
    terms = model.terms.to_arrow()
    names = pa.array(model.classes, pa.large_string())
    weights = model.weights * model.scale[:, None]
    rows, classes = np.nonzero(weights)
    return {
        f"{prefix}terms": pa.table({"term": terms, "idf": pa.array(model.idf)}),
        f"{prefix}weights": pa.table(
            {
                "term": terms.take(pa.array(rows)),
                "class": names.take(pa.array(classes)),
                "weight": pa.array(weights[rows, classes]),
            }
        ),
        f"{prefix}classes": pa.table(
            {
                "class": names,
                "place": pa.array(np.arange(model.n_classes, dtype=np.int32)),
                "bias": pa.array(model.bias),
                "threshold": pa.array(model.thresholds),
            }
        ),
    }


def _predictions(model: TermModel, scores: str, prefix: str) -> str:
    if model.multilabel:
        return f"""SELECT r.id, r.class, r.score FROM (
{scores}
) r JOIN {prefix}classes c ON c.class = r.class
WHERE r.score >= c.threshold"""
    return f"""SELECT id, class, score FROM (
  SELECT r.id, r.class, r.score,
    row_number() OVER (PARTITION BY r.id ORDER BY r.score DESC, c.place) AS best
  FROM (
{scores}
  ) r JOIN {prefix}classes c ON c.class = r.class
) ranked
WHERE best = 1"""


# -- terms ------------------------------------------------------------------------------------


def _term_expressions(model: TermModel, text: str, dialect: Dialect) -> list[str]:
    """Expressions that give a row for each term of a text."""
    analyzer = model.analyzer
    # Stop words and numbers that were left out are no terms of the model: no need to look.
    pattern = rf"[\p{{L}}\p{{N}}_]{{{analyzer.min_length},}}"
    if analyzer.cjk == "word":
        return [_rows(_all_matches(text, pattern, dialect), dialect)]
    characters = _cjk_class()
    everywhere = ", 'g'" if dialect == "duckdb" else ""
    others = f"regexp_replace({text}, {_literal(f'[{characters}]', dialect)}, ' '{everywhere})"
    expressions = [_rows(_all_matches(others, pattern, dialect), dialect)]
    if _has_cjk(model):
        runs = _all_matches(text, f"[{characters}]+", dialect)
        expressions.append(_rows(_bigrams(runs, dialect), dialect))
    return expressions


def _bigrams(runs: str, dialect: Dialect) -> str:
    """Pairs of neighbours in each run; a run of one character is a term as it is."""
    last = "greatest(length(run) - 1, 1)"
    if dialect == "duckdb":
        pairs = f"[substr(run, i, 2) for i in generate_series(1, {last})]"
        return f"flatten([{pairs} for run in {runs}])"
    pairs = f"transform(sequence(1, {last}), i -> substring(run, i, 2))"
    return f"flatten(transform({runs}, run -> {pairs}))"


def _rows(array: str, dialect: Dialect) -> str:
    return f"{'unnest' if dialect == 'duckdb' else 'explode'}({array})"


def _all_matches(text: str, pattern: str, dialect: Dialect) -> str:
    # Spark gives the first group by default, and there is none.
    group = "" if dialect == "duckdb" else ", 0"
    return f"regexp_extract_all({text}, {_literal(pattern, dialect)}{group})"


def _literal(text: str, dialect: Dialect) -> str:
    # Spark reads escapes in its literals.
    return "'" + (text.replace("\\", "\\\\") if dialect == "spark" else text) + "'"


def _quoted(name: str, dialect: Dialect) -> str:
    quote = _QUOTE[dialect]
    return quote + name.replace(quote, 2 * quote) + quote


def _cjk_class() -> str:
    """What the analyzer takes for CJK, as ranges for a regular expression."""
    points = np.flatnonzero(unicode_tables().as_is & CJK)
    starts = np.flatnonzero(np.diff(points, prepend=-2) > 1)
    ends = np.append(starts[1:], len(points)) - 1
    return "".join(
        rf"\x{{{points[lo]:X}}}-\x{{{points[hi]:X}}}" for lo, hi in zip(starts, ends, strict=True)
    )


def _has_cjk(model: TermModel) -> bool:
    points = np.frombuffer("".join(model.terms).encode("utf-32-le"), np.uint32)
    flags = unicode_tables().as_is
    return bool((flags[points[points < len(flags)]] & CJK).any())
