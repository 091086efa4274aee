"""What screen readers and keyboards need and the theme leaves out: levels of headings, boxes that can be scrolled."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_AFTER_THE_THEME = 900
_SCROLLS = re.compile(r'<(pre(?=>)|div(?= class="table-wrapper))')


def setup(app: Sphinx) -> dict[str, Any]:
    """Mend every page, once the theme has made its part of it."""
    app.connect("html-page-context", _mend, priority=_AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def reachable(html: str) -> str:
    """Return HTML in which boxes that scroll can be reached by the keyboard.

    >>> reachable('<pre>x</pre><div class="table-wrapper docutils">')
    '<pre tabindex="0">x</pre><div tabindex="0" class="table-wrapper docutils">'
    """
    return _SCROLLS.sub(r'<\1 tabindex="0"', html)


def _mend(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    for part in ("body", "furo_navigation_tree"):
        if part in context:
            levelled = context[part].replace('role="heading">', 'role="heading" aria-level="2">')
            context[part] = reachable(levelled)
