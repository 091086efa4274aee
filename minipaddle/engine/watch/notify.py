"""Report to the observers of a mode (:mod:`minipaddle.engine.watch.watched_mode`) what the engine does.

A mode lists them in ``mode.tell``, the innermost first. The engine tells them what no verb of a mode says, where it
does it; a mode around the watched one tells of the verbs. Without observers there is no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from minipaddle.engine.tape.node import AnyNode, Edge, Step

if TYPE_CHECKING:
    from minipaddle.engine.watch.observer import Observer

T = TypeVar("T")
BodyKind = Literal["forward", "backward", "hook"]
PassKind = Literal["store", "pick"]
"""What becomes of the gradients of a backward pass: ``backward`` stores them in ``.grad``, ``grad`` returns them."""
At = tuple[AnyNode, int | None]
"""Where a body of the user's code stands: a node and the number of its output; None: all of its outputs."""
SwitchKind = Literal["stop_gradient=True", "stop_gradient=False", "detach_"]
"""What takes a Tensor out of the graph, or into it."""


class Named(Protocol):
    """An object with a name to show: a PyLayer's call, or a hook."""

    @property
    def name(self) -> str:
        """The name."""


Tell = tuple["Observer", ...]
"""The observers, the innermost first."""

Add = Callable[[Edge, Any, Any], Any]
"""Make a sum: (edge that both arrived over, gradient so far, newcomer) -> the gradient of both."""


def told_steps(
    walk: Callable[..., Iterator[Step]], tell: Tell, seeds: Any, rules: Callable[..., Any], *how: Any
) -> Iterator[Step]:
    """Yield the steps of ``walk(seeds, rules, *how)``, each told before the caller takes it.

    The sums are made here, and told.
    """
    summing = 0.0

    def add(edge: Edge, so_far: Any, new: Any) -> Any:
        nonlocal summing
        begin = perf_counter()
        total = so_far + new
        summing += perf_counter() - begin
        for one in tell:
            one.added(edge, total, (so_far, new))
        return total

    begin = perf_counter()
    for step in walk(seeds, rules, *how, add=add):
        seconds, summing = perf_counter() - begin - summing, 0.0
        for one in tell:
            one.stepped(step, seconds)
        yield step
        begin = perf_counter()


def told_pass(
    tell: Tell,
    kind: PassKind,
    walk: Callable[..., Iterator[Step]],
    seeds: Sequence[tuple[Edge, Any]],
    given: Sequence[Any],
    work: Callable[..., T],
    *args: Any,
) -> T:
    """Return ``work(walk, seeds, *args)``; observers are told of the pass and each step, and make the sums."""
    for one in tell:
        one.backward_began(kind, seeds, given)
    try:
        answer = work(partial(told_steps, walk, tell), seeds, *args)
    except BaseException as error:
        for one in tell:
            one.backward_ended(error)
        raise
    for one in tell:
        one.backward_ended(None)
    return answer
