"""Faster versions of readable code in the neighbouring packages; tests compare the two.

``MINIPADDLE_PLAIN=1`` leaves all of them out: then the readable code runs. ``MINIPADDLE_PLAIN=call,signs``
leaves out some.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

WAYS = {"call": "quick", "plans": "compiled", "walk": "walk", "signs": "signs", "pylayer": "py_layer"}
"""The file of each faster version; its ``put_in_place`` is one assignment, or a few."""

_PLAIN = os.environ.get("MINIPADDLE_PLAIN", "").replace(" ", "").split(",")


def put_in_place(way: str, *parts: Any) -> None:
    """Replace readable code by its faster version, unless that is disabled; `parts` are the objects to patch."""
    if "1" not in _PLAIN and way not in _PLAIN:
        import_module(f"{__name__}.{WAYS[way]}").put_in_place(*parts)
