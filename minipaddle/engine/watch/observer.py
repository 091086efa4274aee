"""Observer: the base of tools that observe a run; its methods are the events.

A mode lists its observers in ``mode.tell``, the innermost first. Calls of a mode's methods are reported by a mode
around it (:mod:`minipaddle.engine.watch.watched_mode`); all other events by the code in which they happen.
Without observers there is no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from minipaddle.engine.errors import Line, failure
from minipaddle.engine.tape.node import AnyNode, Edge, Node, Side, Step
from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.operator.custom import OnTape
    from minipaddle.engine.operator.operator import Operator

T = TypeVar("T")
Named = Any
"""An object with a `name` to show: a PyLayer's call, a hook, the turn of a Block."""
BodyKind = Literal["forward", "backward", "hook", "block"]
PassKind = Literal["store", "pick"]
"""The use of the gradients of a backward pass: ``backward`` stores them in ``.grad``, ``grad`` returns them."""
At = tuple[AnyNode, int | None]
"""The place of user code in the graph: a node and an output index; None: all of its outputs."""
SwitchKind = Literal["stop_gradient=True", "stop_gradient=False", "detach_"]
"""An action that detaches or attaches a Tensor."""


Seeds = Sequence[tuple[Edge, Any]]
Walk = Callable[..., Iterator[Step]]
Add = Callable[[Edge, Any, Any], Any]
"""Make a sum: (edge that both arrived over, gradient so far, newcomer) -> the gradient of both."""
_ARRAYS = np.ndarray, np.generic  # a Tensor, if a graph of the gradients is made, is added as elsewhere


def summed(so_far: Any, new: Any) -> Any:
    """Return the sum of two gradients.

    Raises:
        NotImplementedError: **is not supported**, for arrays of whole numbers.
    """
    total = so_far + new
    both = isinstance(so_far, _ARRAYS) and isinstance(new, _ARRAYS)
    if both and total.dtype.kind in "biu" and total.size:
        in_c = {"bool": "bool", "int32": "int"}.get(total.dtype.name, f"{total.dtype}_t")
        raise failure(
            NotImplementedError,
            f"Gradient accumulation of data type ({in_c}) is not supported in imperative mode",
            "only gradients of floats are added up: write 3.0 instead of 3, "
            f"'float32' instead of '{total.dtype}'",
        )
    return total


class Observer:
    """The events of a run. This class ignores all; a tool overrides the methods for its events.

    An observer must change nothing. It gets the Tensors themselves: two with equal numbers, or with one array,
    are different.
    """

    def will_apply(self, op: Any, inputs: tuple[Any, ...]) -> None:
        """An operator is about to be applied to these Tensors, or one of a Program to these arrays."""

    def called(self, op: Any, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool) -> None:
        """An operator was applied to Tensors, or a Program's to arrays, of its ``reads()`` and ``writes()``."""

    def refused(self, op: Operator, inputs: tuple[Any, ...], error: Exception) -> None:
        """An operator could not be applied to these Tensors."""

    def will_write(self, op: Operator, target: Any) -> None:
        """`target` is about to be written in place."""

    def custom_called(self, op: OnTape, inputs: Sequence[Any], outputs: Any) -> None:
        """A custom operator was applied; user code that this runs was entered and left before."""

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...], at: At | None) -> None:
        """User code begins, in backward and hooks `at` a place in the graph; or a Block of a Program.

        A hook's argument is the gradient there; a backward's, after the context, the gradients of the outputs.
        """

    def left(self, kind: BodyKind, owner: Named, result: Any, error: BaseException | None) -> None:
        """User code has ended, or a Block.

        `result` is passed on: a hook's Tensor, a backward's Tensor or None for each input. `error` is the user code's
        own one.
        """

    def appends(self) -> None:
        """An operator is about to be appended to a Program."""

    def program_made(self, program: Any, name: str) -> None:
        """A Program was made; `name` is its name, or ""."""

    def program_runs(self, program: Any) -> None:
        """A Program is about to run."""

    def program_began(self, run: Any) -> Observer | None:
        """Return the observer of the operators and Blocks in this run of an Executor; None: there is none."""
        return None

    def program_ended(self, error: BaseException | None) -> None:
        """The run has ended, if :meth:`program_began` gave an observer; without an error the Scope has the results."""

    def backward_began(self, kind: PassKind, seeds: Seeds, given: Sequence[Any]) -> None:
        """A backward pass begins with `seeds`; `given` are the user's Tensors that they were copied from, or None."""

    def stepped(self, step: Step) -> None:
        """One step of the walk is done; a leaf, or a node whose rules were not run, has no outgoing gradients."""

    def added(self, edge: Edge, total: Any, terms: tuple[Any, Any]) -> None:
        """Two gradients were summed over `edge`: the sum so far, and the new one."""

    def knows(self, node: Node) -> tuple[str, Line | None] | None:
        """Return the name of an output of a call, and the line of the call; None if unknown."""
        return None

    def backward_ended(self, error: BaseException | None) -> None:
        """The pass has ended, after all uses of its gradients."""

    def stored(self, edge: Edge | None, tensor: Any, before: Any, after: Any) -> None:
        """The gradient that passed `edge` is the Tensor `after`, the ``.grad`` of `tensor` from now on.

        It was added to `before`, if that is not None. Without a `tensor` it is returned by ``paddle.grad``; without an
        `edge` the user has set the ``.grad``.
        """

    def kept(self, node: Node, side: Side, place: int, tensor: Any) -> None:
        """`tensor` was made from the array that `node` saved of one of its inputs or outputs."""

    def shares(self, new: Any, old: Any) -> None:
        """The Tensor `new` was made over the memory of `old`, with the same content."""

    def read(self, tensor: Any, how: str, given: Any) -> None:
        """The numbers of a Tensor go to Python, as the NumPy array `given` if it is not None."""

    def switched(self, tensor: Any, how: SwitchKind) -> None:
        """A Tensor was attached to the graph, or detached, by other code than an operator."""

    def copied(self, tensor: Any, data: Any) -> None:
        """``to_tensor`` has made a Tensor from `data`."""

    def trains(self, optimizer: Any) -> None:
        """An optimizer was made; its ``groups`` have its parameters, one without any if it was given none."""


Tell = tuple[Observer, ...]
"""The observers, the innermost first."""


def told_steps(walk: Walk, tell: Tell, seeds: Any, rules: Callable[..., Any], *how: Any) -> Iterator[Step]:
    """Yield the steps of ``walk(seeds, rules, *how)``, each reported before the caller uses it.

    The sums are made and reported here.
    """

    def add(edge: Edge, so_far: Any, new: Any) -> Any:
        total = summed(so_far, new)
        for one in tell:
            one.added(edge, total, (so_far, new))
        return total

    for step in walk(seeds, rules, *how, add=add):
        for one in tell:
            one.stepped(step)
        yield step


def told_pass(
    tell: Tell, kind: PassKind, walk: Walk, seeds: Seeds, begun: list[Any], work: Callable[..., T], *args: Any
) -> T:
    """Return ``work(walk, seeds, *args)``; the pass and each step are reported to observers, and the sums made here."""
    for one in tell:
        one.backward_began(kind, seeds, [given for _, given in begun])
    try:
        answer = work(partial(told_steps, walk, tell), seeds, *args)
    except BaseException as error:
        for one in tell:
            one.backward_ended(error)
        raise
    for one in tell:
        one.backward_ended(None)
    return answer
