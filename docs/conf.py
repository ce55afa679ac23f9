"""How the site is built: ``make docs``. Nothing is fetched; warnings are errors."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

# Figures are drawn into files, and progress bars have nobody to watch them.
os.environ["MPLBACKEND"] = "agg"

import termfold  # noqa: E402

project = "termfold"
author = "The termfold developers"
copyright = author
release = version = termfold.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    # our own, in _ext
    "api_pages",
    "mathml",
    "front_page",
]
exclude_patterns = ["_build", "images/README.md"]

# -- pages ------------------------------------------------------------------------------------

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
smartquotes = False  # quotes are code more often than speech
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"termfold {version}"
html_static_path = ["_static"]
html_css_files = ["termfold.css"]
html_show_sphinx = False
html_copy_source = False
html_math_renderer = "mathml"
# Light colours that also read well as code on a projector.
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb8dd", "color-brand-content": "#7fb8dd"},
}

# -- API reference ----------------------------------------------------------------------------

autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = True
templates_path = ["_templates"]

# -- gallery ----------------------------------------------------------------------------------

sphinx_gallery_conf = {
    "examples_dirs": [str(HERE.parent / "examples")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "write_computation_times": False,
    "show_signature": False,
    "show_memory": False,
    "download_all_examples": False,
    "plot_gallery": "True",
    "abort_on_example_error": True,
    "only_warn_on_example_error": False,
    "remove_config_comments": True,
    "matplotlib_animations": False,
    "min_reported_time": 1,
}
