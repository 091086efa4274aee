"""Backward: what the reverse walk brings to the leaves is stored in their ``.grad``.

:mod:`minipaddle.autograd.grad` takes the same walk, and picks what passes the tensors that it was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.autograd.hooks import HookRun
from minipaddle.autograd.walk import walk
from minipaddle.core.eager import Eager, current
from minipaddle.core.errors import failure
from minipaddle.core.extension import draw_backward
from minipaddle.core.meta import Array, Shape
from minipaddle.core.mode import Mode
from minipaddle.core.node import FREED, AccumulateGrad, AnyNode, Edge, Node, UserCode
from minipaddle.core.tell import PassKind, Tell

if TYPE_CHECKING:
    from minipaddle.autograd.tensor import Tensor


def tensor_backward(
    tensor: Tensor,
    grad_tensor: Tensor | None = None,
    retain_graph: bool = False,
    *,
    dump_backward_graph_path: str | None = None,
) -> None:
    """Compute the gradient of this tensor with respect to every leaf that it depends on, adding it to their ``.grad``.

    Args:
        tensor: the root; if it stops gradients, nothing happens.
        grad_tensor: the gradient to start with, of the root's shape; ones by default.
        retain_graph: keep the graph for another backward.
        dump_backward_graph_path: a directory for pictures of this pass (``minipaddle/viz/dump.py``).

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
    if dump_backward_graph_path is None:
        _store_gradients([(tensor, grad_tensor)], retain_graph)
        return
    with drawn_into(dump_backward_graph_path):
        _store_gradients([(tensor, grad_tensor)], retain_graph)


_UNSEEN = nullcontext()


def drawn_into(path: str | None) -> AbstractContextManager[None]:
    """Return what draws the pass into a directory, if there is one."""
    return _UNSEEN if path is None else draw_backward(path)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool = False,
    *,
    dump_backward_graph_path: str | None = None,
) -> None:
    """Compute the gradients of several roots in one walk; see :func:`tensor_backward`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/backward_en.html)

    Args:
        tensors: a Tensor or a list of different Tensors.
        grad_tensors: None, or one Tensor or None per root.
        retain_graph: keep the graph for another backward.
        dump_backward_graph_path: a directory for pictures of this pass.

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
    with drawn_into(dump_backward_graph_path):
        _store_gradients(list(zip(roots, seeds, strict=True)), retain_graph)


def _store_gradients(roots: Sequence[tuple[Tensor, Tensor | None]], retain_graph: bool) -> None:
    """Drain the walk from `roots` and store at the leaves."""
    seeds = []
    for root, seed in roots:
        if root.edge is not None:
            seeds.append((root.edge, ones_like(root.array) if seed is None else seed.array.copy()))
    outer = current.get()
    if outer.tell is None:
        _walk_and_store(outer, None, seeds, retain_graph)
        return
    with told_of_pass(outer.tell, "store", seeds, [seed for root, seed in roots if root.edge is not None]):
        _walk_and_store(outer, outer.tell, seeds, retain_graph)


class told_of_pass:
    """A ``with`` block around a backward pass: who watches is told when it begins, and when and how it ends."""

    def __init__(
        self, tell: Tell, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Tensor | None]
    ) -> None:
        self.tell = tell
        self.about = kind, seeds, given

    def __enter__(self) -> None:
        self.tell.began(*self.about)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self.tell.ended(error)


def _walk_and_store(
    outer: Mode, tell: Tell | None, seeds: Sequence[tuple[Edge, Any]], retain_graph: bool
) -> None:
    """Store at the leaves when all went well: an error leaves gradients and tape as they were."""
    arrived: list[tuple[AccumulateGrad, Any]] = []
    done: list[Node] = []
    hooks: HookRun | None = None

    def run_hooks(node: AnyNode, grads: Sequence[Any]) -> Sequence[Any]:
        nonlocal hooks
        hooks = hooks or HookRun(leaves=True)
        return hooks(node, grads)

    token = current.set(outer.reading)
    try:
        add = None if tell is None else tell.add
        for node, grads, _ in outer.consume(walk(seeds, Node.run, run_hooks, None, (), add)):
            if isinstance(node, AccumulateGrad):
                arrived.append((node, grads[0]))
            elif retain_graph:
                pass
            elif UserCode.present:
                done.append(node)
            else:
                node.saved = FREED
    finally:
        current.reset(token)
    for record in done:
        record.saved = FREED
    if hooks is not None:
        hooks.store(tell)
    for leaf, gradient in arrived:
        _store(leaf, gradient, tell)


def ones_like(like: Array) -> Any:
    """Return the gradient that a pass begins with where the user gives none."""
    if like.ndim == 0:  # a loss, nearly always: a NumPy number computes faster than an array of one
        return like.dtype.type(1)
    ones = np.empty_like(like)
    ones.fill(1)
    return ones


def _store(leaf: AccumulateGrad, gradient: Any, tell: Tell | None) -> None:
    """Add a gradient to the ``.grad`` of a leaf, if that is still alive."""
    tensor = leaf.tensor()
    if tensor is None:
        return
    before = tensor._grad
    if (
        before is None or before.array.base is _ZERO
    ):  # after clear_grad: adding to nothing is not worth the time
        before = None
        tensor._grad = after = Eager.tensor(gradient)
        after.array.setflags(write=False)  # others may hold it, too
    else:
        tensor._grad = after = Eager.tensor(before.array + gradient)
    after.edge = AccumulateGrad(after)  # as in Paddle it does not stop gradients
    if tell is not None:
        tell.stored(leaf, tensor, before, after)


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

    Of a 0-D root it may have the shape [1].
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


def gradient(tensor: Tensor) -> Array | None:
    """Return ``.grad`` as a NumPy array, or None."""
    return None if tensor._grad is None else tensor._grad.numpy()


def clear_grad(tensor: Tensor, set_to_zero: bool = True) -> None:
    """Set ``.grad`` to zeros, or to None; harmless before backward."""
    before = tensor._grad
    if before is not None:
        tensor._grad = Eager.tensor(_zeros(tensor.array.shape, tensor.array.dtype)) if set_to_zero else None
        if tensor._grad is not None:
            tensor._grad.stop_gradient = before.stop_gradient


_ZERO = np.zeros(16, np.uint8)  # as wide as the widest element
_ZERO.setflags(write=False)


@lru_cache
def _zeros(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Return read-only zeros that take neither memory nor time: all elements are the same one."""
    return np.ndarray(shape, dtype, _ZERO, strides=(0,) * len(shape))
