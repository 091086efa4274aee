"""Escapes characters unsafe for a terminal or page: control characters, and marks of writing direction.

A recording may come from anywhere: a name or a source line in it could move the cursor, hide text, or
make it look different. This file imports nothing slow, as commands that fail early use it.
"""

import unicodedata

_KEPT = "\n\t\u200c\u200d"
"""Line breaks, tabs, and the joiners of letters and emoji."""


def visible(text: str) -> str:
    r"""Return a text with such characters as escapes.

    >>> visible("safe\x1b[2J\u202e")
    'safe\\x1b[2J\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(
        one if one in _KEPT or unicodedata.category(one)[0] != "C" else ascii(one)[1:-1] for one in text
    )
