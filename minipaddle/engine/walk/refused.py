"""Refusals of a backward pass: arguments that do not fit, and a call whose saved tensors an earlier pass has freed.

That call is named after the user's variable for its result; an observer also knows the line of the call.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from traceback import walk_stack
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import Line, failure, is_engine_file, place_in
from minipaddle.engine.mode.eager import Eager, current
from minipaddle.engine.tape.node import Node
from minipaddle.engine.walk.walk import node_of

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor


def check_of_one(tensor: Tensor, grad_tensor: Any, retain_graph: Any) -> None:
    """Check ``Tensor.backward``'s arguments: AssertionError or TypeError."""
    if not isinstance(retain_graph, bool):
        raise failure(
            TypeError, f"argument 'retain_graph' must be bool, but got {type(retain_graph).__name__}"
        )
    if grad_tensor is not None:
        assert isinstance(grad_tensor, Eager.tensor), "The type of grad_tensor must be paddle.Tensor"
        assert grad_tensor.array.shape == tensor.array.shape, (
            f"Tensor shape not match, Tensor of grad_tensor [ {grad_tensor.name} ] with shape "
            f"{list(grad_tensor.shape)} mismatch Tensor [ {tensor.name} ] with shape {list(tensor.shape)}"
        )


def checked_list(value: Any, argument: str, may_be_empty: bool = False) -> list[Tensor]:
    """Return a Tensor, or several, as a list; AssertionError, naming the `argument`, for anything else."""
    assert value is not None, f"{argument} should not be None"
    tensors = [value] if isinstance(value, Eager.tensor) else value
    assert isinstance(tensors, (list, tuple, set)), f"{argument} should be a Tensor or a list of Tensor"
    assert may_be_empty or tensors, f"{argument} should not be empty"
    for tensor in tensors:
        assert isinstance(tensor, Eager.tensor), (
            f"Elements of {argument} must be paddle.Tensor, but received {type(tensor).__name__}"
        )
    return list(tensors)


def checked_seeds(roots: Sequence[Tensor], seeds: Any, argument: str) -> list[Tensor | None]:
    """Return one gradient to begin with (or None) per root; AssertionError, naming `argument`, if they do not fit.

    A 0-D root's may have the shape [1].
    """
    if seeds is None:
        return [None] * len(roots)
    given = [seeds] if isinstance(seeds, Eager.tensor) else seeds
    assert isinstance(given, (list, tuple)), (
        f"{argument} must be None, a Tensor or a list of None and Tensors"
    )
    assert len(given) == len(roots), (
        f"The length of {argument} must be equal to the number of roots: {len(given)} against {len(roots)}"
    )
    for root, seed in zip(roots, given, strict=True):
        assert seed is None or isinstance(seed, Eager.tensor), (
            f"Elements of {argument} must be paddle.Tensor or None"
        )
        one = seed is not None and seed.size == 1 and root.ndim == 0
        assert seed is None or one or seed.array.shape == root.array.shape, (
            f"The shape of each of {argument} must match its root: {seed.shape} against {root.shape}"
        )
    return [seed if seed is None else seed.reshape(list(root.shape)) for root, seed in zip(roots, given)]


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
        f"{made} was gone through by an earlier backward pass ({by}), which freed what it kept; if it is carried "
        "over from an earlier round of a loop, cut it off with detach()",
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
