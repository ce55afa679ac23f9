"""Reports: one summary of a collection, as a page, as Markdown, as JSON."""

from typing import TYPE_CHECKING

from termfold._lazy import lazily

if TYPE_CHECKING:
    from termfold.report.report import Report as Report
    from termfold.report.report import make_report as make_report
    from termfold.report.report import report_stats as report_stats

_HOMES = dict.fromkeys(("Report", "make_report", "report_stats"), "termfold.report.report")

__all__ = ["Report", "make_report", "report_stats"]

__getattr__ = lazily(__name__, _HOMES)
