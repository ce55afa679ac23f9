"""Fixtures that any test may ask for."""

from browser_tools import browser, chromium

__all__ = ["browser", "chromium"]
