"""Settings of the documentation. ``_ext`` generates the pages that come from the code."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import mteval_core

project = "mteval"
author = "The mteval developers"
copyright = author
release = mteval_core.__version__

extensions = ["blocks", "citations", "generated", "keywords", "mathml", "pictures"]
extensions += ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "_ext"]
# Other pages include these:
exclude_patterns += ["generated/checks.md", "generated/kernels.md", "generated/modules.md"]
exclude_patterns += ["generated/literature.md"]
nitpicky = False
suppress_warnings = ["myst.xref_missing"]  # some pages link to files of the repository

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

default_role = "py:obj"  # of the names in docstrings
toc_object_entries = False  # the menu has pages, and no functions
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

highlight_language = "none"  # a block without a language, as in docstrings, is no Python

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "mteval"
pygments_dark_style = "a11y-high-contrast-dark"
html_domain_indices = False
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_search_scorer = str(Path(__file__).parent / "_ext" / "scorer.js")
