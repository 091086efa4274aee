"""The reverse walk, along which gradients flow; engine/fast/walk.py has a quicker version.

A generator that visits nodes from the last to the first and yields one finished step for each: the node, the
incoming gradients, the outgoing gradients. ``Tensor.backward`` consumes it and stores the gradients of leaves;
``paddle.grad`` consumes it and selects; ``append_backward`` appends Operators at each step. Observers see each step.

Nodes carry sequence numbers, so the last one waiting has had all its consumers: no recursion, no sorting, and a node
runs once, on the complete sum. A caller that gives an `add` makes each sum itself, and so sees all of them.

``tutorials/02_reverse_walk.py`` grows this walk out of two wrong ones. A reader of this file understands
``y = x * w; y.backward()``.

Next: :mod:`minipaddle.engine.operator.rule`, how a gradient rule finds what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

from minipaddle.engine.fast import put_in_place
from minipaddle.engine.tape.node import AnyNode, Edge, Node, Step
from minipaddle.engine.watch.observer import Add, summed

Read = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""Run the rules of a node: (node, gradients of its outputs) -> gradients of its inputs, None where there is none."""


def walk(
    seeds: Iterable[tuple[Edge, Any]],
    read: Read,
    hook: Callable[[AnyNode, Any], Any] = lambda node, grads: grads,
    add: Add | None = None,
) -> Iterator[Step]:
    """Yield the steps of a walk from `seeds`, pairs of an edge and the gradient to start it with.

    Gradients are passed on after the yield. A leaf passes nothing on.

    Args:
        read: runs the rules of a node.
        hook: runs the user's hooks of a node on its gradients; called only where there are some.
        add: makes each sum, also of seeds; None: `summed`.
    """
    waiting: dict[AnyNode, list[Any]] = {}  # of each node: the sums so far, one per output
    heap: list[tuple[int, AnyNode]] = []
    for start, grad in seeds:
        arrive(start, grad, waiting, heap, add)

    while heap:
        node = heappop(heap)[1]
        grads = waiting.pop(node) if node.hooks is None else hook(node, waiting.pop(node))
        answers = read(node, grads) if node.edges else ()
        yield node, grads, answers
        for edge, grad in zip(node.edges, answers):
            if edge is not None and grad is not None:
                arrive(edge, grad, waiting, heap, add)


def arrive(
    edge: Edge, grad: Any, waiting: dict[AnyNode, list[Any]], heap: list[tuple[int, AnyNode]], add: Add | None
) -> None:
    """Add a gradient that arrives over an edge to the waiting sum of its node."""
    node: Any
    node, index = edge if type(edge) is tuple else (edge, 0)
    if node not in waiting:
        waiting[node] = [None] * len(node.metas or "1")
        heappush(heap, (node.sequence, node))
    so_far = waiting[node][index]
    if so_far is not None:
        grad = summed(so_far, grad) if add is None else add(edge, so_far, grad)
    waiting[node][index] = grad


def node_of(edge: Edge | None) -> Any:
    """Return the node that an edge leads to."""
    return edge[0] if type(edge) is tuple else edge


def useful_only(
    read: Callable[[Node, Sequence[Any], Sequence[bool]], Sequence[Any]],
    useful: Collection[AnyNode],
    blocked: Collection[Edge | None] = (),
) -> Read:
    """Return what runs only rules whose answers go to `useful` nodes; of a node that leads to none it runs nothing.

    Edges that are `blocked` let no gradient pass.
    """

    def run(node: Any, grads: Sequence[Any]) -> Sequence[Any]:
        wanted = [node_of(edge) in useful for edge in node.edges]
        answers = read(node, grads, wanted) if True in wanted else ()  # the rule may be user code
        return (
            [None if edge in blocked else one for edge, one in zip(node.edges, answers)]
            if blocked
            else answers
        )

    return run


def useful_nodes(roots: Iterable[Edge], wanted: Collection[Edge]) -> set[AnyNode]:
    """Return the nodes through which a gradient from `roots` reaches an edge in `wanted`."""
    reached: set[AnyNode] = set()
    stack = [node_of(edge) for edge in roots]
    while stack:
        node = stack.pop()
        if node in reached:
            continue
        reached.add(node)
        if type(node) is Node:
            stack += [node_of(edge) for edge in node.edges if edge is not None]
    useful = {node_of(edge) for edge in wanted} & reached
    for node in sorted(reached, key=lambda node: -node.sequence):  # oldest first: inputs before consumers
        if type(node) is Node and any(node_of(edge) in useful for edge in node.edges):
            useful.add(node)
    return useful


put_in_place("walk", globals())
