"""The summary as one page of HTML that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html import escape
from importlib import resources
from typing import Any

import numpy as np

# The page's own scripts, in this order; each says in its first line what it does.
_SCRIPTS = ("base.js", "classes.js", "between.js", "documents.js", "curve.js", "audit.js")


def page(summary: dict[str, Any]) -> str:
    """Write the page.

    Names, terms and texts are in it as data only, in a block that no browser runs; the script puts
    them on the page as text. A content security policy forbids everything but the page's own
    script and style, which it knows by their hashes.
    """
    style, script = _own("style.css"), "\n".join(_own(name) for name in _SCRIPTS)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{_sha256(script)}'",
            f"style-src 'sha256-{_sha256(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{escape(summary["title"])}</title>
<style>{style}</style>
</head>
<body>
<main id="report"></main>
<noscript>This report draws itself with a script of its own, which this viewer does not run. Open
the file in a browser, or write it as Markdown instead.</noscript>
<script type="application/json" id="summary">{_data(packed(summary))}</script>
<script>{script}</script>
</body>
</html>
"""


@cache
def _own(name: str) -> str:
    file = resources.files("termfold.report").joinpath("page", name)
    return file.read_text(encoding="utf-8")


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _data(value: Any) -> str:
    """JSON that cannot end the block it stands in, whatever names and texts it holds."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half a surrogate pair, as a broken file may give, has no UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8")
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def packed(summary: dict[str, Any]) -> dict[str, Any]:
    """The summary with its large tables in a form of fewer bytes.

    Features become 16-bit numbers in base64, row by row, each class scaled by its largest.
    """
    found = dict(summary)
    if "map" in summary:
        documents = summary["map"]["documents"]
        features = np.array([document["features"] for document in documents], np.float64)
        largest = np.maximum(features.max(axis=0, initial=0), 1e-12)
        small = np.round(features / largest * 65535).astype("<u2")
        found["map"] = {
            **summary["map"],
            "documents": [
                [
                    document["text"],
                    document["labels"],
                    document["predicted"],
                    document["probability"],
                    document["x"],
                    document["y"],
                ]
                for document in documents
            ],
            "features": base64.b64encode(small.tobytes()).decode("ascii"),
            "largest": [float(f"{value:.5g}") for value in largest],
        }
    found["classes"] = [
        {
            **of_class,
            "terms": [
                [term["term"], term["docs_in_class"], term["docs"]] for term in of_class["terms"]
            ],
        }
        for of_class in summary["classes"]
    ]
    return found
