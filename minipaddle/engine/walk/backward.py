"""Backward: the gradients that reach leaves in the reverse walk are stored in their ``.grad``.

:mod:`minipaddle.paddle.autograd.grad` takes the same walk, and returns gradients at chosen tensors.

Next: :mod:`minipaddle.engine.tensor.tensor`, where `.grad` is found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from minipaddle.engine.errors import CELL, ENGINE
from minipaddle.engine.mode.eager import Eager, mode_now, run_inside
from minipaddle.engine.tape.memory import ZERO
from minipaddle.engine.tape.node import AccumulateGrad, Node
from minipaddle.engine.value.meta import Array
from minipaddle.engine.walk.hooks import Retained, run_hooks
from minipaddle.engine.walk.refused import check_of_one, checked_list, checked_seeds, gone_through
from minipaddle.engine.walk.walk import walk
from minipaddle.engine.watch.observer import PassKind, Seeds, Tell, Walk, summed, told_pass

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor

T = TypeVar("T")
Arrived = list[tuple[AccumulateGrad | Retained, Any]]
"""What is to be stored: a leaf and its gradient; or the Tensor that ``retain_grads`` took on the way."""


class Freed:
    """Replaces the saved tensors of all nodes that a pass freed: the pass's line."""

    __slots__ = ("code", "step")

    def __init__(self) -> None:
        at = sys._getframe()
        while (file := at.f_code.co_filename).startswith(ENGINE) and not file.startswith(CELL) and at.f_back:
            at = at.f_back
        self.code, self.step = at.f_code, at.f_lasti // 2  # the line is looked up only for an error

    def open(self, node: Node) -> tuple[Any, ...]:
        """Raise the error of a freed node."""
        line = [*self.code.co_positions()][self.step][0] or 0
        raise gone_through(node, self.code.co_filename, line)


def tensor_backward(tensor: Tensor, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
    """Compute the gradient of this tensor with respect to every leaf that requires one, and add it to its ``.grad``.

    Args:
        tensor: the root; if it stops gradients, nothing happens.
        grad_tensor: the gradient to start with, of the root's shape; ones by default.
        retain_graph: keep the graph for another backward.

    Raises:
        AssertionError: **must be paddle.Tensor** or **shape not match**, for a bad `grad_tensor`.
        SystemError: **retain_graph=True**, if part of the graph was freed by an earlier backward.
    """
    if grad_tensor is not None or retain_graph is not False:
        check_of_one(tensor, grad_tensor, retain_graph)
    _store_gradients([(tensor, grad_tensor)] if tensor.edge else [], None if retain_graph else Freed())


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False) -> None:
    """Compute the gradients of several roots in one walk; see :func:`tensor_backward`.

    Args:
        tensors: a Tensor or a list of different Tensors.
        grad_tensors: None, or one Tensor or None per root.
        retain_graph: keep the graph for another backward.

    Raises:
        AssertionError: naming the argument that is wrong.
    """
    roots = checked_list(tensors, "tensors")
    assert len({id(root) for root in roots}) == len(roots), (
        "The argument 'tensors' of paddle.autograd.backward contains duplicate paddle.Tensor object."
    )
    seeds = checked_seeds(roots, grad_tensors, "grad_tensors")
    assert isinstance(retain_graph, bool), (
        "The argument 'retain_graph' of paddle.autograd.backward must be bool."
    )
    freed = None if retain_graph else Freed()
    _store_gradients([(root, seed) for root, seed in zip(roots, seeds, strict=True) if root.edge], freed)


def _store_gradients(roots: list[tuple[Any, Tensor | None]], freed: Freed | None) -> None:
    """Walk from `roots` and store gradients at the leaves; `freed` replaces the saved tensors (None: they are kept)."""
    seeds = [(one.edge, ones_like(one.array) if seed is None else seed.array.copy()) for one, seed in roots]
    run_pass("store", seeds, roots, _walk_and_store, freed)


def run_pass(kind: PassKind, seeds: Seeds, begun: list[Any], work: Callable[..., T], *args: Any) -> T:
    """Return ``work(walk, seeds, *args)``, a pass that observers are told of, with the roots begun and their seeds."""
    tell = mode_now().tell
    return told_pass(tell, kind, walk, seeds, begun, work, *args) if tell else work(walk, seeds, *args)


def _walk_and_store(walk: Walk, seeds: Seeds, freed: Freed | None) -> None:
    """Store at the leaves after the whole walk; if the walk raises, no ``.grad`` changes.

    Saved tensors of nodes that were visited are freed then, unless user code was recorded (hooks, PyLayers).
    """
    mode = mode_now()
    for leaf, gradient in run_inside(mode.reading, _walk_to_leaves, walk, seeds, freed):
        _store(leaf, gradient, mode.tell)


def _walk_to_leaves(walk: Walk, seeds: Seeds, freed: Freed | None) -> Arrived:
    """Return what has arrived; free saved tensors on the way, unless the graph is retained."""
    arrived: Arrived = []
    later: list[Node] = []
    for node, grads, _ in walk(seeds, Node.run, partial(run_hooks, arrived)):
        if isinstance(node, AccumulateGrad):
            arrived.append((node, grads[0]))
        elif Node.meets_user_code:
            later.append(node)
        elif freed is not None:
            node.saved = freed
    for node in later if freed is not None else ():
        node.saved = freed
    return arrived


def ones_like(like: Array) -> Any:
    """Return the gradient that a pass starts with if the user gives none."""
    if like.ndim == 0 and type(like) is np.ndarray:  # a loss: a NumPy number is faster than an array of one
        return like.dtype.type(1)
    ones = np.empty_like(like)
    ones.fill(1)
    return ones


def _store(leaf: AccumulateGrad | Retained, gradient: Any, tell: Tell) -> None:
    """Add a gradient to the ``.grad`` of a leaf, if that is still alive; a retained one replaces what is there."""
    tensor: Any = leaf.tensor()
    if tensor is None:
        return
    if isinstance(leaf, Retained):
        tensor._grad = gradient
        for one in tell:
            one.stored(leaf.edge, tensor, None, gradient)
        return
    held = tensor._grad.array if isinstance(tensor._grad, Eager.tensor) else tensor._grad
    nothing = held is None or held.base is ZERO  # after clear_grad: adding to nothing is not worth the time
    before = tensor.grad if tell and not nothing else None
    tensor._grad = after = np.asarray(gradient if nothing else summed(held, gradient))
    if nothing:
        after.setflags(write=False)  # others may hold it, too
    for one in tell:
        one.stored(leaf, tensor, before, tensor.grad)
