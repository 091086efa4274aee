"""Watching: any mode with a tool looking on.

Where the engine has a loop (the reverse walk) the tool sees its steps; where it has none (eager forward) the tool
wraps the mode. Either way the engine knows nothing of it, and with nobody watching nothing is paid.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from minipaddle.core.meta import Attrs
from minipaddle.core.mode import Around, BodyKind, Mode, Named, Saving, current, within
from minipaddle.core.node import CustomCall, Step

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator


class Observer(Protocol):
    """What a tool offers to :class:`Watching`. It looks and must not touch.

    `seconds` is how long it took, by the wall clock; of the user's own code, with all that was watched inside.
    """

    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """An operator was applied to Tensors."""

    def will_write(self, op: Operator, target: Any) -> None:
        """`target` is about to be written in place."""

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """A minted operator was applied; its body was entered and left before."""

    def entered(self, kind: BodyKind, owner: Named, args: tuple[Any, ...]) -> None:
        """The user's own code begins."""

    def left(self, kind: BodyKind, owner: Named, result: Any, error: BaseException | None) -> None:
        """The user's own code ended."""

    def program_began(self, program: Any) -> None:
        """An Executor begins to run a Program."""

    def program_stepped(self, event: Any, seconds: float) -> None:
        """One step of it is done: see :mod:`minipaddle.static.executor.interpreter`."""

    def program_ended(self, error: BaseException | None) -> None:
        """The run is over."""

    def backward_began(self) -> None:
        """A reverse walk begins."""

    def stepped(self, step: Step, seconds: float) -> None:
        """One node of the walk is done."""

    def backward_ended(self, error: BaseException | None) -> None:
        """The reverse walk is over."""


class WatchingRuns(Around):
    """`inner`, of which `observer` is told when an Executor runs a Program: while building there is nothing else."""

    __slots__ = ("observer",)

    def __init__(self, inner: Mode, observer: Observer) -> None:
        super().__init__(inner)
        self.observer = observer

    def apply_custom(self, call: CustomCall) -> Any:
        """Leave it to the inner mode."""
        return self.inner.apply_custom(call)

    def with_grad(self, flag: bool) -> Mode:
        """Keep watching."""
        return type(self)(self.inner.with_grad(flag), self.observer)

    def with_saving(self, hooks: Saving) -> Mode:
        """Keep watching."""
        return type(self)(self.inner.with_saving(hooks), self.observer)

    def replaced(self, mode: Mode) -> Mode:
        """Keep watching."""
        inner = self.inner.replaced(mode)
        return (Watching if inner.dynamic else WatchingRuns)(inner, self.observer)

    def run_program(
        self, program: Any, quick: Callable[[], Any], slow: Callable[[], Generator[Any, None, Any]]
    ) -> Any:
        """Run step by step, and tell of each."""
        self.observer.program_began(program)
        error, steps = None, self.inner.drain_program(slow())
        try:
            while True:
                begin = perf_counter()
                event = next(steps)
                self.observer.program_stepped(event, perf_counter() - begin)
        except StopIteration as end:
            return end.value
        except BaseException as raised:
            error = raised
            raise
        finally:
            self.observer.program_ended(error)


class Watching(WatchingRuns):
    """`inner`, told to `observer`."""

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply, then tell."""
        begin = perf_counter()
        outputs = self.inner.apply(op, inputs, attrs)
        self.observer.called(op, inputs, attrs, outputs, False, perf_counter() - begin)
        return outputs

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Announce the write, apply, then tell."""
        self.observer.will_write(op, inputs[0])
        begin = perf_counter()
        output = self.inner.apply_inplace(op, inputs, attrs)
        self.observer.called(op, inputs, attrs, output, True, perf_counter() - begin)
        return output

    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Announce the writes, apply, then tell; the output is the parameter."""
        for position in op.updates:
            self.observer.will_write(op, inputs[position])
        begin = perf_counter()
        self.inner.apply_update(op, inputs, attrs)
        self.observer.called(op, inputs, attrs, inputs[0], True, perf_counter() - begin)

    def apply_custom(self, call: CustomCall) -> Any:
        """Carry the call out under this watcher, then tell."""
        inputs = call.inputs
        begin = perf_counter()
        outputs = call.carry_out(self)
        self.observer.custom_called(call, inputs, outputs, perf_counter() - begin)
        return outputs

    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        grad: bool,
        function: Callable[..., Any],
        args: tuple[Any, ...],
    ) -> Any:
        """Tell, run, tell."""
        self.observer.entered(kind, owner, args)
        result, error = None, None
        try:
            result = super().run_body(kind, owner, grad, function, args)
        except BaseException as raised:
            error = raised
            raise
        finally:
            self.observer.left(kind, owner, result, error)
        return result

    def drain(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Tell of each step before the caller takes it."""
        self.observer.backward_began()
        error = None
        try:
            begin = perf_counter()
            for step in self.inner.drain(steps):
                self.observer.stepped(step, perf_counter() - begin)
                yield step
                begin = perf_counter()
        except BaseException as raised:
            error = raised
            raise
        finally:
            self.observer.backward_ended(error)


def watching(observer: Observer) -> within:
    """Return a ``with`` block in which `observer` sees everything that the current mode does."""
    return within(Watching(current.get(), observer))
