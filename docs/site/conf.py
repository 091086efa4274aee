"""How Sphinx builds the site; docs/site/README.md says from what, `make site` does it."""

import logging
from typing import Any

import jieba

from docs.site.paths import HERE
from minipaddle import __version__

project = "minipaddle"
author = "the developers of minipaddle"
copyright = "the developers of minipaddle, Apache-2.0"
version = release = __version__

extensions = [
    *("myst_nb", "sphinx_design"),
    *("docs.site.links", "docs.site.mathml", "docs.site.access", "docs.site.search"),
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
root_doc = "index"
exclude_patterns = ["extra/**"]

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "fieldlist", "attrs_block"]
myst_heading_anchors = 4
myst_heading_slug_func = "docs.site.chinese.slug"
nb_execution_mode = "off"  # the lessons were run when the sources were laid out
nb_ipywidgets_js = {}  # nothing is loaded from elsewhere

language = "en"

html_theme = "furo"
html_title = "minipaddle"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_search_language = "en"
html_search_scorer = str(HERE / "static" / "scorer.js")
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {"navigation_with_keys": False}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

jieba.setLogLevel(logging.WARNING)


def setup(app: Any) -> None:
    """Take from the folder of sources what is beside the pages; the search knows Chinese where they are Chinese."""

    def choose(app: Any, config: Any) -> None:
        config.html_extra_path = [str(app.srcdir / "extra")]
        config.html_search_language = "zh" if config.language.startswith("zh") else "en"

    app.connect("config-inited", choose)
