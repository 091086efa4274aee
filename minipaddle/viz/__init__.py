"""Pictures of a gradient: one engine-neutral graph, several writers.

``minipaddle.viz.graph(loss)`` is all that a notebook needs; docs/graph.md has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minipaddle.viz.api import Recording, graph, make_dot, make_graph, recording
    from minipaddle.viz.listeners import Handle, Ran, on_backward, on_op
    from minipaddle.viz.model.node_style import Look
    from minipaddle.viz.picture import Picture

__all__ = [
    *("Handle", "Look", "Picture", "Ran", "Recording"),
    *("graph", "make_dot", "make_graph", "on_backward", "on_op", "recording"),
]


def __getattr__(name: str) -> Any:
    """Load what people use when they use it: the debugger needs a few words of this room only."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from minipaddle.viz import api

    return getattr(api, name)
