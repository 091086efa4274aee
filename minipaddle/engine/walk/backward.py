"""Backward: what the reverse walk brings to the leaves is stored in their ``.grad``.

:mod:`minipaddle.paddle.autograd.grad` takes the same walk, and picks what passes the tensors that it was asked for.

Next: :mod:`minipaddle.engine.tensor.tensor`, where `.grad` is found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from minipaddle.engine.errors import CELL, ENGINE, failure
from minipaddle.engine.mode.eager import Eager, mode_now, run_inside
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node, Step, UserCode
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.engine.walk.arguments import checked_list, checked_seeds
from minipaddle.engine.walk.freed import gone_through
from minipaddle.engine.walk.hooks import Retained, run_hooks, store_retained
from minipaddle.engine.walk.walk import walk
from minipaddle.engine.watch.notify import PassKind, Tell, told_steps

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor

T = TypeVar("T")
Arrived = tuple[AccumulateGrad, Any]
Seeds = Sequence[tuple[Edge, Any]]
Walk = Callable[..., Iterator[Step]]


class Freed:
    """What remains of all that one pass has gone through: where the pass began."""

    __slots__ = ("code", "step")

    def __init__(self) -> None:
        try:
            at = sys._getframe(2)
        except ValueError:  # nobody is there if C calls
            at = sys._getframe()
        while (file := at.f_code.co_filename).startswith(ENGINE) and not file.startswith(CELL) and at.f_back:
            at = at.f_back
        self.code, self.step = at.f_code, at.f_lasti // 2  # its line is looked for when somebody asks

    def open(self, record: Node) -> tuple[Any, ...]:
        """Raise the error that says so."""
        line = [*self.code.co_positions()][self.step][0] or 0
        raise gone_through(record, self.code.co_filename, line)


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
    if not isinstance(retain_graph, bool):
        raise failure(
            TypeError, f"argument 'retain_graph' must be bool, but got {type(retain_graph).__name__}"
        )
    if grad_tensor is not None:
        assert isinstance(grad_tensor, Eager.tensor), "The type of grad_tensor must be paddle.Tensor"
        assert grad_tensor.array.shape == tensor.array.shape, (
            f"Tensor shape not match, Tensor of grad_tensor [ {grad_tensor.name} ] with shape "
            f"{list(grad_tensor.shape)} "
            f"mismatch Tensor [ {tensor.name} ] with shape {list(tensor.shape)}"
        )
    _store_gradients([(tensor, grad_tensor)], None if retain_graph else Freed())


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
    _store_gradients(list(zip(roots, seeds, strict=True)), freed)


def _store_gradients(roots: Sequence[tuple[Tensor, Tensor | None]], freed: Freed | None) -> None:
    """Walk from `roots` and store at the leaves; `freed` remains of what is gone through, None: that is retained."""
    seeds, given = [], []
    for root, seed in roots:
        if root.edge is not None:
            seeds.append((root.edge, ones_like(root.array) if seed is None else seed.array.copy()))
            given.append(seed)
    run_pass("store", seeds, given, _walk_and_store, freed)


def run_pass(
    kind: PassKind, seeds: Seeds, given: Sequence[Tensor | None], work: Callable[..., T], *args: Any
) -> T:
    """Return ``work(walk, seeds, *args)``: a backward pass, told to who watches.

    Who watches sees each step of the walk first, and makes the sums.
    """
    tell = mode_now().tell
    for one in tell:
        one.backward_began(kind, seeds, given)
    try:
        answer = work(partial(told_steps, walk, tell) if tell else walk, seeds, *args)
    except BaseException as error:
        for one in tell:
            one.backward_ended(error)
        raise
    for one in tell:
        one.backward_ended(None)
    return answer


def _walk_and_store(walk: Walk, seeds: Seeds, freed: Freed | None) -> None:
    """Store at the leaves when the whole walk succeeded; after an error every ``.grad`` is as it was.

    Saved tensors of nodes that were visited are freed then, unless user code was recorded (hooks, PyLayers).
    """
    mode = mode_now()
    retained: Retained = []
    arrived = run_inside(mode.reading, _walk_to_leaves, walk, seeds, freed, retained)
    if retained:
        store_retained(retained, mode.tell)
    for leaf, gradient in arrived:
        _store(leaf, gradient, mode.tell)


def _walk_to_leaves(walk: Walk, seeds: Seeds, freed: Freed | None, retained: Retained) -> list[Arrived]:
    """Return what arrives at the leaves; free what was saved on the way, unless the graph is to be retained."""
    arrived: list[Arrived] = []
    done: list[Node] = []
    now = None if UserCode.present else freed
    for node, grads, _ in walk(seeds, Node.run, partial(run_hooks, retained, True)):
        if isinstance(node, AccumulateGrad):
            arrived.append((node, grads[0]))
        elif now is not None:
            node.saved = now
        else:
            done.append(node)
    if freed is not None:
        for node in done:
            node.saved = freed
    return arrived


def ones_like(like: Array) -> Any:
    """Return the gradient that a pass begins with where the user gives none."""
    if like.ndim == 0 and type(like) is np.ndarray:  # a loss: a NumPy number is faster than an array of one
        return like.dtype.type(1)
    ones = np.empty_like(like)
    ones.fill(1)
    return ones


def _store(leaf: AccumulateGrad, gradient: Any, tell: Tell) -> None:
    """Add a gradient to the ``.grad`` of a leaf, if that is still alive."""
    tensor = leaf.tensor()
    if tensor is None:
        return
    before = tensor._grad
    held = before.array if isinstance(before, Eager.tensor) else before
    if held is None or held.base is _ZERO:  # after clear_grad: adding to nothing is not worth the time
        before = None
        after = gradient if type(gradient) is np.ndarray else np.asarray(gradient)
        after.setflags(write=False)  # others may hold it, too
    else:
        after = np.asarray(held + gradient)
    if tell and before is not None:
        before = tensor.grad
    tensor._grad = after
    for one in tell:
        one.stored(leaf, tensor, before, tensor.grad)


def gradient(tensor: Tensor) -> Array | None:
    """Return ``.grad`` as a NumPy array, or None."""
    return None if tensor.grad is None else tensor.grad.numpy()


def clear_grad(tensor: Tensor, set_to_zero: bool = True) -> None:
    """Set ``.grad`` to zeros, or to None; harmless before backward."""
    before = tensor._grad
    if before is not None:
        zeros = _zeros(tensor.array.shape, tensor.array.dtype) if set_to_zero else None
        stopping = isinstance(before, Eager.tensor) and before.edge is None and set_to_zero
        tensor._grad = Eager.tensor(zeros) if stopping else zeros


_ZERO = np.zeros(16, np.uint8)  # as wide as the widest element
_ZERO.setflags(write=False)


@lru_cache
def _zeros(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Return read-only zeros that take neither memory nor time: all elements are the same one."""
    return np.ndarray(shape, dtype, _ZERO, strides=(0,) * len(shape))
