"""How notebooks show what is fitted."""

from __future__ import annotations


class ShownInNotebooks:
    """Shows what was learnt: the terms, rather than the parameters alone."""

    def _repr_html_(self) -> str:
        # Imported when asked: it stands above all that it shows.
        from termfold.report.notebook import view

        return view(self)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        # Notebooks prefer this to _repr_html_, and scikit-learn's own shows parameters only.
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
