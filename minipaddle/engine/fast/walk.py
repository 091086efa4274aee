"""Quick versions of the reverse walk, with the commonest sums written out, and of ``Node.run``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

from minipaddle.engine.tape.memory import written
from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge, Node, Step
from minipaddle.engine.watch.observer import Add, summed

_run = Node.run


def put_in_place(reverse: dict[str, Any]) -> None:
    """Put the quick walk into `reverse` (the names of engine/walk/walk.py), and the quick `run` into Node."""
    reverse["walk"] = quick_walk(reverse["arrive"])
    node: Any = Node
    node.run = run


def run(node: Node, grads: Sequence[Any], useful: Sequence[bool] | None = None) -> Sequence[Any]:
    """Return the result of ``Node.run``, quickly for one output and values neither overwritten, packed nor freed."""
    saved = node.saved
    if not written and useful is None and node.metas is None and type(saved) is tuple:
        return node.plan.run(grads, saved)
    return _run(node, grads, useful)


def quick_walk(arrive: Callable[..., None]) -> Callable[..., Iterator[Step]]:
    """Return the walk; `arrive` adds a gradient that arrives over any kind of edge."""

    def walk(
        seeds: Iterable[tuple[Edge, Any]],
        read: Callable[..., Sequence[Any]],
        hook: Callable[[AnyNode, Any], Any] = lambda node, grads: grads,
        add: Add | None = None,
    ) -> Iterator[Step]:
        # The gradient of each node so far; a list with one item per output if the node has several.
        waiting: dict[AnyNode, Any] = {}
        heap: list[tuple[int, AnyNode]] = []
        going: Iterable[tuple[Edge | None, Any]] = seeds
        while True:
            for target, grad in going:
                if grad is None or target is None:
                    continue
                if isinstance(target, tuple):
                    arrive(target, grad, waiting, heap, add)
                elif target in waiting:
                    so_far = waiting[target]
                    waiting[target] = summed(so_far, grad) if add is None else add(target, so_far, grad)
                else:
                    waiting[target] = grad
                    heappush(heap, (target.sequence, target))
            if not heap:
                return
            node = heappop(heap)[1]
            grad = waiting.pop(node)
            grads = grad if type(grad) is list else (grad,)
            if node.hooks is not None:
                grads = hook(node, grads)
            results = () if isinstance(node, AccumulateGrad) else read(node, grads)
            yield node, grads, results
            going = zip(node.edges, results)  # strict=True would cost a tenth of a small node

    return walk
