"""``paddle.grad``: the gradients that pass the tensors it is asked for; every ``.grad`` is left alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.autograd.backward import checked_list, checked_seeds, drawn_into, ones_like, told_of_pass
from minipaddle.autograd.hooks import HookRun
from minipaddle.autograd.walk import node_of, useful_nodes, walk
from minipaddle.core.eager import Eager, current, within
from minipaddle.core.errors import failure, locate
from minipaddle.core.memory import read_only
from minipaddle.core.meta import Array, Meta
from minipaddle.core.node import AnyNode, Edge, MakeTensor, Node, Side

if TYPE_CHECKING:
    from minipaddle.autograd.tensor import Tensor


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
        no_grad_vars: tensors that let no gradient pass; an output among them still begins with its own.
        dump_backward_graph_path: a directory for pictures of this pass.

    Raises:
        AssertionError: naming the argument that is wrong.
        RuntimeError: **duplicate** inputs or outputs.
        ValueError: **does not appear in the backward graph**, for an unreachable input without `allow_unused`.
    """
    targets = checked_list(outputs, "outputs")
    sources = checked_list(inputs, "inputs")
    seeds = checked_seeds(targets, grad_outputs, "grad_outputs")
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
    stops = [] if no_grad_vars is None else checked_list(no_grad_vars, "no_grad_vars", may_be_empty=True)
    for kind, tensors in (("outputs", targets), ("inputs", sources)):
        if len({id(tensor) for tensor in tensors}) != len(tensors):
            raise failure(RuntimeError, f"There are duplicate tensors in {kind} of paddle.grad.")
    with drawn_into(dump_backward_graph_path):
        found = _picked_gradients(targets, seeds, [source.edge for source in sources], stops, create_graph)
    for position, (source, gradient) in enumerate(zip(sources, found, strict=True)):
        if gradient is None and not allow_unused and all(source is not stop for stop in stops):
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


def _picked_gradients(
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
        (target.edge, _seed(target, seed, create_graph)) for target, seed in roots if target.edge is not None
    ]
    tell = current.get().tell
    asked = starts, wanted, useful, blocked, create_graph
    if tell is None:
        return _walked(*asked)[1]
    with told_of_pass(tell, "pick", starts, [seed for _, seed in roots]):
        picked, found = _walked(*asked)
        places = {node: place for place, node in enumerate(picked)}
        pairs = [
            (edge, gradient) for edge, gradient in zip(wanted, found, strict=True) if gradient is not None
        ]
        for edge, gradient in sorted(pairs, key=lambda pair: places[node_of(pair[0])]):
            if edge is not None:
                tell.picked(edge, gradient)
    return found


def _walked(
    seeds: Sequence[tuple[Edge, Any]],
    wanted: Sequence[Edge | None],
    useful: Collection[AnyNode],
    blocked: Collection[Edge],
    create_graph: bool,
) -> tuple[dict[AnyNode, Sequence[Any]], list[Tensor | None]]:
    """Return what reaches the nodes of the `wanted` edges, in the order of the walk; and the gradient of each edge."""
    outer = current.get()
    nodes = {edge[0] if type(edge) is tuple else edge for edge in wanted}
    picked: dict[AnyNode, Sequence[Any]] = {}
    with within(outer.with_grad(True) if create_graph else outer.reading):
        read = _run_on_tensors if create_graph else Node.run
        add = None if outer.tell is None else outer.tell.add
        for node, grads, _ in outer.consume(walk(seeds, read, HookRun(False), useful, blocked, add)):
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
        ones = ones_like(target.array)
        return Eager.tensor(ones) if create_graph else ones
    return seed if create_graph else seed.array.copy()


def _picked(picked: dict[AnyNode, Sequence[Any]], edge: Edge | None) -> Tensor | None:
    if edge is None:
        return None
    node, index = edge if type(edge) is tuple else (edge, 0)
    gradient = picked[node][index] if node in picked else None
    return (
        gradient
        if gradient is None or isinstance(gradient, Eager.tensor)
        else Eager.tensor(read_only(np.asarray(gradient)))
    )


def _run_on_tensors(node: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> Sequence[Any]:
    """Run the rules of `node` on Tensors, so that the gradients can be differentiated in their turn."""
    saved = node.plan.connect(node, node.opened(), _reconnected(node))
    if node.metas is not None:
        grads = node.plan.gather(grads, node.metas, _zeros)
    return node.plan.run_some(grads, saved, [True] * len(node.edges) if useful is None else useful)


def _zeros(meta: Meta) -> Any:
    return Eager.tensor(np.zeros(meta.shape, meta.dtype))


def _reconnected(node: Node) -> MakeTensor:
    """Return what makes a Tensor of a saved array, and tells who watches."""
    tell = current.get().tell
    if tell is None:
        return connected

    def make(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
        tensor = connected(array, edge, side, place)
        tell.kept(node, side, place, tensor)
        return tensor

    return make


def connected(array: Array, edge: Edge | None, side: Side, place: int) -> Any:
    """Return a Tensor over `array` whose gradient flows along `edge`."""
    tensor = Eager.tensor(array)
    tensor.edge = edge
    return tensor
