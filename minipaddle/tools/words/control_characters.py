"""What must not reach a terminal or a page as it is: control characters, and marks that turn the direction of writing.

A recording may come from anywhere: a name or a line of source in it could move the cursor, hide what stands there, or
make it read as something else. It imports nothing that takes time, for commands that fail early say so by it.
"""

import unicodedata

_KEPT = "\n\t\u200c\u200d"
"""Lines, tabs, and what joins letters and emoji."""


def visible(text: str) -> str:
    r"""Return a text in which such characters are written out.

    >>> visible("safe\x1b[2J\u202e")
    'safe\\x1b[2J\\u202e'
    """
    if text.isprintable():
        return text
    return "".join(
        one if one in _KEPT or unicodedata.category(one)[0] != "C" else ascii(one)[1:-1] for one in text
    )
