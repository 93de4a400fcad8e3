"""Sphinx configuration of the site; `make site` builds it into build/site."""

import os
import pathlib
import re
import sys
import warnings

ROOT = pathlib.Path(os.environ["SRGW_ROOT"])  # the pages are a copy in build/site
sys.path.insert(0, str(ROOT / "docs" / "site"))

project = "srgw"
author = "The srgw developers"
copyright = author
release = re.search(r"VERSION (\d[\d.]*) ", (ROOT / "CMakeLists.txt").read_text())[1]
version = release

extensions = [
    "breathe",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "api_names",
    "repository_links",
]
exclude_patterns = [
    "site",
    "tutorials/*",
    "gallery/*.json",
    "**/sg_execution_times.rst",
    "sg_execution_times.rst",
]
# Types such as "shape (n,)" are no names; namespaces are declared on the page of every header.
suppress_warnings = ["config.cache", "ref.python", "duplicate_declaration.cpp"]

html_theme = "furo"
html_title = f"srgw {release}"
html_static_path = ["site/static"]
html_css_files = ["srgw.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#2f5d8a", "color-brand-content": "#2f5d8a"},
    "dark_css_variables": {"color-brand-primary": "#8fbbe8", "color-brand-content": "#8fbbe8"},
}

myst_enable_extensions = ["dollarmath", "colon_fence", "attrs_inline"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_member_order = "groupwise"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_preprocess_types = False

breathe_projects = {"srgw": str(ROOT / "build" / "doxygen" / "xml")}
breathe_default_project = "srgw"
breathe_domain_by_extension = {"hpp": "cpp"}

sphinx_gallery_conf = {
    "examples_dirs": ["tutorials"],
    "gallery_dirs": ["auto_tutorials"],
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "min_reported_time": 1e6,
    "reference_url": {"srgw": None},
    "doc_module": ("srgw",),
    "backreferences_dir": None,
}
warnings.filterwarnings("ignore", message=".*non-interactive.*")
os.environ.setdefault("SRGW_PROGRAM", str(ROOT / "build" / "dev" / "cli" / "srgw"))
