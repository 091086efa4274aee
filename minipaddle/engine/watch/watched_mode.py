"""Watching: a mode around another one, which reports to a tool.

Where the engine has a loop (the reverse walk), the tool sees its steps; where it has none (eager forward), a mode
around it reports calls. The engine reports the rest (engine/watch/observer.py). Without an observer there is no cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.watch.observer import Observer

if TYPE_CHECKING:
    from minipaddle.engine.operator.custom import OnTape
    from minipaddle.engine.operator.operator import Operator


def watching(observer: Observer) -> within:
    """Return a ``with`` block in which `observer` sees all events of the current mode."""
    return within(Watching(current.get(), observer))


def observers() -> list[Observer]:
    """Return the observers of Programs now, the outermost first."""
    return [mode.observer for mode in current.get().layers() if isinstance(mode, Watching)]


class Watching(Around):
    """A mode around `inner` that reports to `observer`; of nested ones, the innermost reports first.

    While a Program is built it tells that the Program grows, and no more: the calls are told when it runs.
    """

    __slots__ = ("observer",)

    def __init__(self, inner: Mode, observer: Observer) -> None:
        super().__init__(inner)
        self.observer = observer
        if self.dynamic:
            self.tell = (*inner.tell, observer)

    def like(self, inner: Mode) -> Mode:
        """Return the new inner mode, observed."""
        return Watching(inner, self.observer)

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Report the call before and after the inner mode applies `op`."""
        if not self.dynamic:
            self.observer.appends()
            return self.inner.apply(op, inputs, attrs)
        self.observer.will_apply(op, inputs)
        return self._told(self.inner.apply, op, inputs, attrs, False)

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Report the call and its writes before, and the call after the inner mode applies `op`."""
        if not self.dynamic:
            return self.inner.apply_inplace(op, inputs, attrs)
        self.observer.will_apply(op, inputs)
        for position in op.updates or (0,):
            self.observer.will_write(op, inputs[position])
        return self._told(self.inner.apply_inplace, op, inputs, attrs, True)

    def _told(self, call: Any, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, inplace: bool) -> Any:
        """Return the result of a call in the inner mode, and report it, or its refusal."""
        try:
            outputs = call(op, inputs, attrs)
        except Exception as error:
            self.observer.refused(op, inputs, error)
            raise
        self.observer.called(op, inputs, attrs, outputs, inplace)
        return outputs

    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Apply a custom operator in this mode, then report it."""
        if not self.dynamic:
            return self.inner.apply_custom(op, inputs)
        outputs = op.carry_out(self, inputs)
        for observer in self.tell:
            observer.custom_called(op, inputs, outputs)
        return outputs
