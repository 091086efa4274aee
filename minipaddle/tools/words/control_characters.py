"""Escapes characters unsafe for a terminal or page: control characters, and marks of writing direction.

A recording may come from anywhere: a name or a source line in it could move the cursor, hide text, or
make it look different. This file imports nothing slow, as commands that fail early use it.
"""

import unicodedata

JOINERS = "\u200c\u200d"
"""They join letters and emoji, and are kept everywhere."""
_UNSAFE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")  # categories of Unicode


def visible(text: str, kept: str = f"\n\t{JOINERS}") -> str:
    r"""Return a text with such characters as escapes, except those that are `kept`.

    >>> visible("safe\x1b[2J\u202e")
    'safe\\x1b[2J\\u202e'
    """
    if text.isprintable():
        return text
    unsafe = {one for one in {*text} - {*kept} if unicodedata.category(one) in _UNSAFE}
    return "".join(ascii(one)[1:-1] if one in unsafe else one for one in text)


def can_be_written(text: str, encoding: str) -> bool:
    """Return whether an encoding has all characters of a text."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
