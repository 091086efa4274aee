"""Watching: any mode with a tool looking on.

Where the engine has a loop (the reverse walk) the tool sees its steps; where it has none (eager forward) the tool
wraps the mode. What is neither it is told (:class:`minipaddle.core.tell.Tell`). With nobody watching nothing is paid.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from minipaddle.core.eager import current, run_inside, within
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import Around, Mode, Saving
from minipaddle.core.node import AccumulateGrad, CustomCall, Edge, Node, Side, Step
from minipaddle.core.observer import Observer
from minipaddle.core.tell import TOLD, At, BodyKind, Named, PassKind, TurnKind

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator

M = TypeVar("M", bound=Mode)


class Told:
    """Tells `observers`, the innermost first (:class:`minipaddle.core.tell.Tell`)."""

    __slots__ = ("observers", "summing")

    def __init__(self, observers: tuple[Observer, ...]) -> None:
        self.observers = observers
        self.summing = 0.0
        """Seconds that the sums since the last step of a walk took."""

    def began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """Tell that a backward pass begins."""
        for observer in self.observers:
            observer.backward_began(kind, seeds, given)

    def ended(self, error: BaseException | None) -> None:
        """Tell that it is over."""
        for observer in self.observers:
            observer.backward_ended(error)

    def add(self, edge: Edge, so_far: Any, new: Any) -> Any:
        """Add, then tell."""
        begin = perf_counter()
        total = so_far + new
        self.summing += perf_counter() - begin
        for observer in self.observers:
            observer.added(edge, total, (so_far, new))
        return total

    def stored(self, leaf: AccumulateGrad, tensor: Any, before: Any, after: Any) -> None:
        """Tell that a gradient was stored."""
        for observer in self.observers:
            observer.stored(leaf, tensor, before, after)

    def picked(self, edge: Edge, tensor: Any) -> None:
        """Tell that a gradient was returned."""
        for observer in self.observers:
            observer.picked(edge, tensor)

    def retained(self, edge: Edge, tensor: Any) -> None:
        """Tell that the gradient of an interior tensor was stored."""
        for observer in self.observers:
            observer.retained(edge, tensor)

    def kept(self, record: Node, side: Side, place: int, tensor: Any) -> None:
        """Tell that a Tensor was made of a kept value."""
        for observer in self.observers:
            observer.kept(record, side, place, tensor)

    def shares(self, new: Any, old: Any) -> None:
        """Tell that a Tensor was made over the memory of another one."""
        for observer in self.observers:
            observer.shares(new, old)

    def read(self, tensor: Any, how: str, given: Any = None) -> None:
        """Tell that numbers go to Python."""
        for observer in self.observers:
            observer.read(tensor, how, given)

    def turned(self, tensor: Any, how: TurnKind) -> None:
        """Tell what was decided of a Tensor."""
        for observer in self.observers:
            observer.turned(tensor, how)

    def copied(self, tensor: Any, data: Any) -> None:
        """Tell what a Tensor was made of."""
        for observer in self.observers:
            observer.copied(tensor, data)

    def trains(self, parameters: Sequence[Any]) -> None:
        """Tell what an optimizer trains."""
        for observer in self.observers:
            observer.trains(parameters)


def _watched(mode: Mode, observer: Observer) -> WatchingRuns:
    """Return `mode` with a tool looking on: while a Program is built, only its runs are to be seen."""
    return (Watching if mode.dynamic else WatchingRuns)(mode, observer)


class ProgramRun(Protocol):
    """One run of a Program (:class:`minipaddle.static.executor.run.Run`)."""

    @property
    def program(self) -> Any:
        """The Program."""


class SeesPrograms(Around):
    """A mode that is told which Programs are made and run."""

    __slots__ = ()

    def made_program(self, program: Any, name: str = "") -> None:
        """A Program was made; `name` is what it goes by, if it has a name."""

    def runs_program(self, program: Any) -> None:
        """A Program is about to run."""


class SeesSteps(Around):
    """A mode that sees the steps of each run of a Program."""

    __slots__ = ()

    def program_steps(self, run: ProgramRun, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Return the `steps` of a run, or others that end as they do."""
        return steps


def around(kind: type[M]) -> list[M]:
    """Return those around the current mode that are of a `kind`, the innermost first."""
    found: list[M] = []
    mode = current.get()
    while isinstance(mode, Around):
        if isinstance(mode, kind):
            found.append(mode)
        mode = mode.inner
    return found[::-1]


class WatchingRuns(SeesSteps):
    """`inner`, of which `observer` is told when an Executor runs a Program: while building there is nothing else."""

    __slots__ = ("observer",)

    def __init__(self, inner: Mode, observer: Observer) -> None:
        super().__init__(inner)
        self.observer = observer

    def apply_custom(self, call: CustomCall) -> Any:
        """Return what the inner mode makes of the call: its body runs when the Program does."""
        return self.inner.apply_custom(call)

    def with_grad(self, flag: bool) -> Mode:
        """Keep watching."""
        return type(self)(self.inner.with_grad(flag), self.observer)

    def with_saving(self, hooks: Saving) -> Mode:
        """Keep watching."""
        return type(self)(self.inner.with_saving(hooks), self.observer)

    def replaced(self, mode: Mode) -> Mode:
        """Keep watching."""
        return _watched(self.inner.replaced(mode), self.observer)

    def program_steps(self, run: ProgramRun, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Tell of each step."""
        self.observer.program_began(run)
        error = None
        try:
            while True:
                begin = perf_counter()
                event = next(steps)
                self.observer.program_stepped(event, perf_counter() - begin)
                yield event
        except StopIteration as end:
            return end.value
        except BaseException as raised:
            error = raised
            raise
        finally:
            self.observer.program_ended(error)


class Watching(WatchingRuns):
    """`inner`, told to `observer`; where watchers stand around each other, the innermost is told first."""

    __slots__ = ("told",)

    def __init__(self, inner: Mode, observer: Observer) -> None:
        super().__init__(inner, observer)
        around = inner.tell
        self.tell = self.told = Told((*(around.observers if isinstance(around, Told) else ()), observer))

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
        seconds = perf_counter() - begin
        for observer in self.told.observers:
            observer.custom_called(call, inputs, outputs, seconds)
        return outputs

    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        inside: Mode,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        at: At | None = None,
        settle: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Tell, run, tell."""
        for observer in self.told.observers:
            observer.entered(kind, owner, args, at)
        answer, answers, error = None, None, None
        try:
            answer = run_inside(inside, function, args)
        except BaseException as raised:
            error = raised
            raise
        finally:
            if error is None:
                answers, error = _settled(answer, settle)
            for observer in self.told.observers:
                observer.left(kind, owner, answers, error)
        return answer

    def consume(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Tell of each step before the caller takes it."""
        begin = perf_counter()
        for step in self.inner.consume(steps):
            seconds, self.told.summing = perf_counter() - begin - self.told.summing, 0.0
            self.observer.stepped(step, seconds)
            yield step
            begin = perf_counter()


def _settled(answer: Any, settle: Callable[[Any], Any] | None) -> tuple[Any, Exception | None]:
    """Return an answer of the user's code in order, or what is wrong with it: whoever asked for it will raise that."""
    try:
        return (answer if settle is None else settle(answer)), None
    except Exception as error:
        return None, error


class watching(within):
    """A ``with`` block in which `observer` sees everything that the current mode does."""

    __slots__ = ()

    def __init__(self, observer: Observer) -> None:
        super().__init__(_watched(current.get(), observer))

    def __enter__(self) -> Mode:
        TOLD.append(self)
        return super().__enter__()

    def __exit__(self, *exc_info: object) -> None:
        TOLD.remove(self)
        super().__exit__(*exc_info)
