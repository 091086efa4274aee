"""The search in Chinese: that of Sphinx 9 fails in the browser, and looks a query up as one word. This one works."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese

from docs.site.paths import HERE

SPLITTER = HERE / "static" / "split.js"


class SearchInChinese(SearchChinese):
    """Sphinx's, with a query that is taken apart in the browser."""

    language_name = "English"
    """Of the stemmer that Sphinx asks the browser for; it would ask for ``ChineseStemmer``, which does not exist."""
    js_splitter_code = SPLITTER.read_text(encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Take the place of Sphinx's own."""
    app.add_search_language(SearchInChinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
