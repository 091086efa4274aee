"""Backward: two ways to drain the reverse walk.

:func:`backward` stores what reaches the leaves in their ``.grad``; :func:`grad` picks what passes the tensors that it
was asked for, and stores nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.autograd.evaluate import read_arrays, read_tensors
from minipaddle.autograd.hooks import HookRun
from minipaddle.autograd.walk import node_of, useful_nodes, walk
from minipaddle.core.eager import Eager, current, within
from minipaddle.core.errors import failure, locate
from minipaddle.core.extension import draw_backward
from minipaddle.core.memory import lend
from minipaddle.core.meta import Array, Shape
from minipaddle.core.mode import Mode, PassKind, Tell
from minipaddle.core.node import FREED, AccumulateGrad, AnyNode, Edge, Node, Port, UserCode

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
    if grad_tensor is not None:
        assert isinstance(grad_tensor, Eager.tensor), "The type of grad_tensor must be paddle.Tensor"
        assert grad_tensor.array.shape == tensor.array.shape, (
            f"Tensor shape not match, Tensor of grad_tensor [ {grad_tensor.name} ] with shape "
            f"{list(grad_tensor.shape)} "
            f"mismatch Tensor [ {tensor.name} ] with shape {list(tensor.shape)}"
        )
    with _drawn_into(dump_backward_graph_path):
        _store_gradients([(tensor, grad_tensor)], retain_graph)


_UNSEEN = nullcontext()


def _drawn_into(path: str | None) -> AbstractContextManager[None]:
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
    roots = _checked_list(tensors, "tensors")
    assert len({id(root) for root in roots}) == len(roots), (
        "The argument 'tensors' of paddle.autograd.backward contains duplicate paddle.Tensor object."
    )
    seeds = _checked_seeds(roots, grad_tensors, "grad_tensors")
    assert isinstance(retain_graph, bool), (
        "The argument 'retain_graph' of paddle.autograd.backward must be bool."
    )
    with _drawn_into(dump_backward_graph_path):
        _store_gradients(list(zip(roots, seeds, strict=True)), retain_graph)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    *,
    dump_backward_graph_path: str | None = None,
) -> list[Tensor | None]:
    """Return the gradients of the sum of `outputs` with respect to each of `inputs`, leaving every ``.grad`` alone.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/grad_en.html)

    Args:
        outputs: a Tensor or a list of them.
        inputs: a Tensor or a list of them; interior tensors are welcome.
        grad_outputs: None, or one seed (or None for ones) per output.
        retain_graph: accepted for Paddle's sake: the graph is never freed here.
        create_graph: record the computation of the gradients too, so that they can be differentiated.
        only_inputs: must be True, as in Paddle.
        allow_unused: return None for an input that no output depends on, instead of raising.
        no_grad_vars: tensors that no gradient may pass.
        dump_backward_graph_path: a directory for pictures of this pass.

    Raises:
        AssertionError: naming the argument that is wrong.
        RuntimeError: **duplicate** inputs or outputs.
        ValueError: **does not appear in the backward graph**, for an unreachable input without `allow_unused`.
    """
    targets = _checked_list(outputs, "outputs")
    sources = _checked_list(inputs, "inputs")
    seeds = _checked_seeds(targets, grad_outputs, "grad_outputs")
    for argument, value in (
        ("create_graph", create_graph),
        ("allow_unused", allow_unused),
        ("only_inputs", only_inputs),
    ):
        assert isinstance(value, bool), f"{argument} should be True or False"
    assert retain_graph is None or isinstance(retain_graph, bool), (
        "retain_graph should be None, True or False"
    )
    assert only_inputs, "only_inputs=False is not supported yet"
    stops = [] if no_grad_vars is None else _checked_list(no_grad_vars, "no_grad_vars", may_be_empty=True)
    for kind, tensors in (("outputs", targets), ("inputs", sources)):
        if len({id(tensor) for tensor in tensors}) != len(tensors):
            raise failure(RuntimeError, f"There are duplicate tensors in {kind} of paddle.grad.")
    with _drawn_into(dump_backward_graph_path):
        found = _pick_gradients(targets, seeds, [source.edge for source in sources], stops, create_graph)
    for position, gradient in enumerate(found):
        if gradient is None and not allow_unused:
            raise locate(
                failure(
                    ValueError,
                    f"The {position}-th input does not appear in the backward graph. Please check the input tensor or "
                    "set allow_unused=True to get None result.",
                    "it has stop_gradient=True, or no output was computed from it",
                ),
                "paddle.grad",
            )
    return found


def _store_gradients(roots: Sequence[tuple[Tensor, Tensor | None]], retain_graph: bool) -> None:
    """Drain the walk from `roots` and store at the leaves."""
    seeds = []
    for root, seed in roots:
        if root.edge is not None:
            seeds.append((root.edge, _ones(root.array) if seed is None else seed.array.copy()))
    outer = current.get()
    if outer.tell is None:
        _walk_and_store(outer, None, seeds, retain_graph)
        return
    with _Told(outer.tell, "store", seeds, [seed for root, seed in roots if root.edge is not None]):
        _walk_and_store(outer, outer.tell, seeds, retain_graph)


class _Told:
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
    hooks = HookRun(True)
    token = current.set(outer.reading())
    try:
        add = None if tell is None else tell.add
        for node, grads, _ in outer.drain(walk(seeds, read_arrays, hooks, None, (), add)):
            if isinstance(node, AccumulateGrad):
                arrived.append((node, grads[0]))
            elif retain_graph:
                pass
            elif UserCode.present:
                done.append(node)
            else:
                node.kept = FREED
    finally:
        current.reset(token)
    for record in done:
        record.kept = FREED
    hooks.store(tell)
    for leaf, gradient in arrived:
        _store(leaf, gradient, tell)


def _ones(like: Array) -> Any:
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
        lend(after.array)
    else:
        tensor._grad = after = Eager.tensor(before.array + gradient)
    if tell is not None:
        tell.stored(leaf, tensor, before, after)


def _pick_gradients(
    targets: Sequence[Tensor],
    seeds: Sequence[Tensor | None],
    wanted: Sequence[Edge | None],
    stops: Sequence[Tensor],
    create_graph: bool,
) -> list[Tensor | None]:
    """Drain the walk and pick the gradient that passes each of the `wanted` edges."""
    edges = [edge for edge in wanted if edge is not None]
    roots = [(target, seed) for target, seed in zip(targets, seeds, strict=True) if target.edge is not None]
    useful = useful_nodes([target.edge for target, _ in roots if target.edge is not None], edges)
    blocked = {stop.edge for stop in stops if stop.edge is not None}
    starts = [
        (target.edge, _seed(target, seed, create_graph))
        for target, seed in roots
        if target.edge is not None and target.edge not in blocked
    ]
    tell = current.get().tell
    asked = starts, wanted, useful, blocked, create_graph
    if tell is None:
        return _walk_and_pick(*asked)[1]
    with _Told(tell, "pick", starts, [seed for target, seed in roots if target.edge not in blocked]):
        picked, found = _walk_and_pick(*asked)
        places = {node: place for place, node in enumerate(picked)}
        pairs = [
            (edge, gradient) for edge, gradient in zip(wanted, found, strict=True) if gradient is not None
        ]
        for edge, gradient in sorted(pairs, key=lambda pair: places[node_of(pair[0])]):
            if edge is not None:
                tell.picked(edge, gradient)
    return found


def _walk_and_pick(
    seeds: Sequence[tuple[Edge, Any]],
    wanted: Sequence[Edge | None],
    useful: Collection[AnyNode],
    blocked: Collection[Edge],
    create_graph: bool,
) -> tuple[dict[AnyNode, Sequence[Any]], list[Tensor | None]]:
    """Return what reaches the nodes of the `wanted` edges, in the order of the walk; and the gradient of each edge."""
    outer = current.get()
    nodes = {edge.record if type(edge) is Port else edge for edge in wanted}
    picked: dict[AnyNode, Sequence[Any]] = {}
    with within(outer.with_grad(True) if create_graph else outer.reading()):
        read = read_tensors if create_graph else read_arrays
        add = None if outer.tell is None else outer.tell.add
        for node, grads, _ in outer.drain(walk(seeds, read, HookRun(False), useful, blocked, add)):
            if node in nodes:
                picked[node] = grads
    found = [_picked(picked, edge) for edge in wanted]
    for gradient in found if create_graph else ():
        if (
            gradient is not None and gradient.edge is None
        ):  # a constant may be asked for a gradient, and has none
            gradient.stop_gradient = False
    return picked, found


def _seed(target: Tensor, seed: Tensor | None, create_graph: bool) -> Any:
    if seed is None:
        ones = _ones(target.array)
        return Eager.tensor(ones) if create_graph else ones
    return seed if create_graph else seed.array.copy()


def _picked(picked: dict[AnyNode, Sequence[Any]], edge: Edge | None) -> Tensor | None:
    if edge is None:
        return None
    node, index = (edge.record, edge.index) if type(edge) is Port else (edge, 0)
    gradient = picked[node][index] if node in picked else None
    return (
        gradient
        if gradient is None or isinstance(gradient, Eager.tensor)
        else Eager.tensor(lend(np.asarray(gradient)))
    )


def _checked_list(value: Any, argument: str, may_be_empty: bool = False) -> list[Tensor]:
    assert value is not None, f"{argument} should not be None"
    tensors = [value] if isinstance(value, Eager.tensor) else value
    assert isinstance(tensors, (list, tuple, set)), f"{argument} should be a Tensor or a list of Tensor"
    assert may_be_empty or tensors, f"{argument} should not be empty"
    for tensor in tensors:
        assert isinstance(tensor, Eager.tensor), (
            f"Elements of {argument} must be paddle.Tensor, but received {type(tensor).__name__}"
        )
    return list(tensors)


def _checked_seeds(roots: Sequence[Tensor], seeds: Any, argument: str) -> list[Tensor | None]:
    if seeds is None:
        return [None] * len(roots)
    given = [seeds] if isinstance(seeds, Eager.tensor) else list(seeds)
    assert len(given) == len(roots), (
        f"The length of {argument} must be equal to the number of roots: {len(given)} against {len(roots)}"
    )
    for root, seed in zip(roots, given, strict=True):
        assert seed is None or isinstance(seed, Eager.tensor), (
            f"Elements of {argument} must be paddle.Tensor or None"
        )
        assert seed is None or seed.array.shape == root.array.shape, (
            f"The shape of each of {argument} must match its root: {seed.shape} against {root.shape}"
        )
    return given


def gradient(tensor: Tensor) -> Array | None:
    """Return ``.grad`` as a NumPy array, or None."""
    return None if tensor._grad is None else tensor._grad.numpy()


def clear_grad(tensor: Tensor, set_to_zero: bool = True) -> None:
    """Set ``.grad`` to zeros, or to None; harmless before backward."""
    if tensor._grad is not None:
        tensor._grad = Eager.tensor(_zeros(tensor.array.shape, tensor.array.dtype)) if set_to_zero else None


_ZERO = np.zeros(16, np.uint8)  # as wide as the widest element
_ZERO.setflags(write=False)


@lru_cache
def _zeros(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Return read-only zeros that take neither memory nor time: all elements are the same one."""
    return np.ndarray(shape, dtype, _ZERO, strides=(0,) * len(shape))
