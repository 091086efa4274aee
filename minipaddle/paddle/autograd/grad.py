"""``paddle.grad``: returns the gradients of chosen tensors; no ``.grad`` is changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import failure, invalid, locate
from minipaddle.engine.mode.eager import Eager, current, run_inside
from minipaddle.engine.operator.custom import for_user
from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge, MakeTensor, Node, Side, Step
from minipaddle.engine.value.meta import Array
from minipaddle.engine.walk.backward import ones_like, run_pass
from minipaddle.engine.walk.hooks import run_hooks
from minipaddle.engine.walk.refused import checked_list, checked_seeds
from minipaddle.engine.walk.walk import node_of, useful_nodes, useful_only
from minipaddle.engine.watch.observer import Walk
from minipaddle.ops.creation.assign import assign

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor


_FLAGS = ("create_graph", "allow_unused", "only_inputs")


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list[Tensor | None]:
    """Return the gradients of the sum of `outputs` with respect to each of `inputs`, without changing any ``.grad``.

    Args:
        outputs: a Tensor or a list of them.
        inputs: a Tensor or a list of them; interior tensors are allowed.
        grad_outputs: None, or one seed (or None for ones) per output.
        retain_graph: no effect: the graph is never freed here.
        create_graph: record the computation of the gradients too, so that they can be differentiated.
        only_inputs: must be True, as in Paddle.
        allow_unused: return None for an input that no output depends on, instead of raising.
        no_grad_vars: tensors that let no gradient pass; an output among them still starts with its own.

    Raises:
        AssertionError: naming the argument that is wrong.
        RuntimeError: **duplicate** inputs or outputs.
        ValueError: **does not appear in the backward graph**, for an unreachable input without `allow_unused`.
    """
    targets = checked_list(outputs, "outputs")
    sources = checked_list(inputs, "inputs")
    seeds = checked_seeds(targets, grad_outputs, "grad_outputs")
    for argument, value in zip(_FLAGS, (create_graph, allow_unused, only_inputs)):
        assert isinstance(value, bool), f"{argument} should be True or False"
    assert isinstance(retain_graph, bool | None), "retain_graph should be None, True or False"
    assert only_inputs, "only_inputs=False is not supported yet"
    stops = [] if no_grad_vars is None else checked_list(no_grad_vars, "no_grad_vars", may_be_empty=True)
    for kind, tensors in (("outputs", targets), ("inputs", sources)):
        if len({id(tensor) for tensor in tensors}) != len(tensors):
            raise failure(RuntimeError, f"There are duplicate tensors in {kind} of paddle.grad.")
    blocked = {stop.edge for stop in stops if stop.edge is not None}
    starts: list[tuple[Edge, Any]] = []
    begun: list[tuple[Tensor, Tensor | None]] = []
    for target, seed in zip(targets, seeds, strict=True):
        if target.edge is not None:
            starts.append((target.edge, _seed(target, seed, create_graph)))
            begun.append((target, seed))
    asked = [source.edge for source in sources], blocked, create_graph
    found = run_pass("pick", starts, begun, _picked_gradients, *asked)
    for position, (source, gradient) in enumerate(zip(sources, found, strict=True)):
        if gradient is None and not allow_unused and all(source is not stop for stop in stops):
            said = (
                f"The {position}-th input does not appear in the backward graph. Please check the input tensor or "
                "set allow_unused=True to get None result."
            )
            hint = (
                "it has stop_gradient=True, or no output was computed from it"
                if starts
                else "the outputs have no history; a gradient has one if it is computed with create_graph=True"
            )
            raise locate(invalid(said, hint), "paddle.grad")
    return found


def _picked_gradients(
    walk: Walk,
    seeds: Sequence[tuple[Edge, Any]],
    wanted: Sequence[Edge | None],
    blocked: Collection[Edge],
    create_graph: bool,
) -> list[Tensor | None]:
    """Walk from `seeds` and return the gradient at each of the `wanted` edges."""
    mode = current.get()
    useful = useful_nodes([edge for edge, _ in seeds], [edge for edge in wanted if edge is not None])
    inside = mode.with_grad(True) if create_graph else mode.reading
    read: Callable[..., Sequence[Any]] = _run_on_tensors if create_graph else Node.run
    nodes = {node_of(edge) for edge in wanted}
    steps = walk(seeds, useful_only(read, useful, blocked), partial(run_hooks, None))
    passed = run_inside(inside, _gradients_at, nodes, steps)
    found = [_picked(passed, edge) for edge in wanted]
    for node in passed if mode.tell else ():  # in the order of the walk
        for edge, gradient in zip(wanted, found, strict=True):
            if edge is not None and node_of(edge) is node and gradient is not None:
                for one in mode.tell:
                    one.stored(edge, None, None, gradient)
    return found


def _gradients_at(nodes: Collection[AnyNode], steps: Iterator[Step]) -> dict[AnyNode, Sequence[Any]]:
    """Return the gradients that arrive at the `nodes`, in the order of the walk."""
    return {node: grads for node, grads, _ in steps if node in nodes}


def _seed(target: Tensor, seed: Tensor | None, create_graph: bool) -> Any:
    """Return the gradient to begin with: an array, or a Tensor that all gradients depend on, as in Paddle."""
    array = ones_like(target.array) if seed is None else seed.array
    if not create_graph:
        return array if seed is None else array.copy()
    made = Eager.tensor(array)
    made.edge = AccumulateGrad(Eager.tensor()) if seed is None else seed.edge or AccumulateGrad(seed)
    return made


def _picked(passed: dict[AnyNode, Sequence[Any]], edge: Edge | None) -> Tensor | None:
    """Return the gradient that passed an edge, for the user."""
    node, index = edge if type(edge) is tuple else (edge, 0)
    gradient = passed[node][index] if node in passed else None
    if gradient is None:
        return None
    tensor: Tensor = for_user(gradient)
    if (
        isinstance(tensor.edge, AccumulateGrad) and tensor.edge.tensor() is None
    ):  # ones, with which the pass began
        tensor.edge = AccumulateGrad(tensor)
    return tensor


def _run_on_tensors(node: Node, grads: Sequence[Any], useful: Sequence[bool]) -> Sequence[Any]:
    """Run the rules of `node` on Tensors, so that the gradients can be differentiated."""
    saved = node.plan.connect(node, node.opened(), _reconnected(node))
    begun = [one for one in grads if isinstance(getattr(one, "edge", None), AccumulateGrad)]
    if node.metas is not None:
        grads = node.plan.gather(
            grads, node.metas, lambda meta: Eager.tensor(np.zeros(meta.shape, meta.dtype))
        )
    answers = node.plan.run_some(grads, saved, useful)
    # a rule that answers with the gradient with which the pass began: no leaf any more, as in Paddle
    return [assign(one) if any(one is seed for seed in begun) else one for one in answers]


def _reconnected(node: Node) -> MakeTensor:
    """Return a function that makes a Tensor from an array saved by `node`, and tells observers."""
    tell = current.get().tell

    def make(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
        tensor = Eager.tensor(array)
        tensor.edge = edge
        for one in tell:
            one.kept(node, side, place, tensor)
        return tensor

    return make
