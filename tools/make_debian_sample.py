"""Make the sample of Debian's package directory that ships in the wheel.

Usage: python tools/make_debian_sample.py [folder of debian.parquet, default $TERMFOLD_DATA]

The same input gives the same file: packages are taken in the order of a hash of their source
package, so that packages made from one source come together, and stay on one side of the split.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

SECTIONS = (
    *("database", "editors", "electronics", "fonts", "games", "graphics"),
    *("mail", "math", "net", "science", "sound", "web"),
)
MOST_PER_SECTION = 1000
LONGEST = 4000  # a few descriptions list the contents of a collection
TARGET = Path(__file__).parents[1] / "src" / "termfold" / "data" / "debian_sample.parquet"


def main() -> None:
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TERMFOLD_DATA")
    if folder is None:
        sys.exit("Give the folder of debian.parquet, or set TERMFOLD_DATA to it.")
    sample = make_sample(pq.read_table(Path(folder) / "debian.parquet"))
    pq.write_table(
        sample,
        TARGET,
        compression="zstd",
        compression_level=19,
        use_dictionary=["label", "split", "source"],
        write_statistics=False,
        store_schema=False,
    )
    print(f"{TARGET.name}: {len(sample)} documents, {TARGET.stat().st_size:,} bytes")


def make_sample(packages: pa.Table) -> pa.Table:
    english = packages.filter(
        (pc.field("lang") == "en")
        & pc.field("label").isin(SECTIONS)
        & (pc.utf8_length(pc.field("text")) <= LONGEST)
    )
    rows = english.select(["id", "text", "label", "source", "split"]).to_pylist()
    rows.sort(key=lambda row: (hash_of(row["source"]), row["id"]))
    counts = dict.fromkeys(SECTIONS, 0)
    chosen = []
    for row in rows:
        counts[row["label"]] += 1
        if counts[row["label"]] <= MOST_PER_SECTION:
            row["id"] = row["id"].removesuffix(":en")
            chosen.append(row)
    return pa.Table.from_pylist(chosen)


def hash_of(source: str) -> bytes:
    return hashlib.blake2b(source.encode(), digest_size=8).digest()


if __name__ == "__main__":
    main()
