"""The error for a call whose saved tensors an earlier backward pass has freed.

The tensor is named after the user's variable; an observer also knows the line of the call.
"""

from __future__ import annotations

import sys
from traceback import walk_stack

from minipaddle.engine.errors import Line, failure, is_engine_file, place_in
from minipaddle.engine.mode.eager import Eager, current
from minipaddle.engine.tape.node import Node
from minipaddle.engine.walk.walk import node_of


def gone_through(node: Node, file: str, line: int) -> SystemError:
    """Return the error for a node whose saved values were freed by a pass from this line."""
    name, called = _made_by(node)
    by = place_in(file, line)
    where = f", {place_in(called.file, called.number)}" if called else ""
    made = f"{name} ({node.op.name}{where})"
    return failure(
        SystemError,
        f"TensorWrappers of {node.op.title} do not exist. This may be because: you calculate "
        "backward twice for the same subgraph without retain_graph=True. "
        "Please set retain_graph=True in the first backward/grad call.",
        f"{made} was gone through by an earlier backward pass ({by}), which freed what it kept",
    )


def _made_by(node: Node) -> tuple[str, Line | None]:
    """Return the name of an output of a call, and the line of the call, as far as known."""
    for one in current.get().tell:
        if (known := one.knows(node)) is not None:
            return known
    for frame, _ in walk_stack(sys._getframe(1)):
        held = {} if is_engine_file(frame.f_code.co_filename) else frame.f_locals
        for name, value in held.items():
            if isinstance(value, Eager.tensor) and node_of(value.edge) is node:
                return name, None
    return "a tensor", None
