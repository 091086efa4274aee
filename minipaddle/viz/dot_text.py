"""Pieces of DOT text: attributes, quoted, and places of labels."""

from __future__ import annotations

from math import atan2, degrees, hypot

import graphviz

__all__ = ["attributes", "escaped", "polar"]

_PLAIN = str.maketrans({"\\": r"\\", "\n": r"\n"})
_QUOTED = _PLAIN | str.maketrans({'"': r"\""})


def attributes(style: dict[str, str]) -> str:
    """Write attributes, all quoted. The library takes five times as long to find out which have to be."""
    return "[" + " ".join(f'{name}="{text.translate(_QUOTED)}"' for name, text in style.items()) + "]"


def escaped(text: str) -> str:
    """Quote for the library: backslashes and angle brackets are only characters; a line break stays one."""
    safe: str = graphviz.nohtml(text.translate(_PLAIN))
    return safe


def polar(along: float, aside: float) -> dict[str, str]:
    """Return the place of a label's middle in points from the end of an arrow, as dot wants it: distance and angle."""
    return {
        "labeldistance": f"{hypot(along, aside) / 10:.1f}",
        "labelangle": f"{degrees(atan2(aside, along)):.0f}",
    }
