"""Pictures of a gradient: one graph, independent of any renderer, and several writers.

``minipaddle.tools.picture.graph(loss)`` is enough in a notebook; docs/graph.md has the rest. Read next: ``api``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minipaddle.tools.picture.api import graph
    from minipaddle.tools.picture.picture import Picture

_HOME = {"api": ("graph",), "picture": ("Picture",)}
__all__ = ["Picture", "graph"]


def __getattr__(name: str) -> Any:
    """Load a name on first use: the debugger needs only a few modules of this package."""
    for home, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
