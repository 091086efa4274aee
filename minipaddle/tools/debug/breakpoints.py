"""Breakpoints: numbered, counted, ignored for a while, gone after the first stop."""

from dataclasses import dataclass

from minipaddle.tools.debug.cursor import Cursor
from minipaddle.tools.debug.stop_spec import Spec
from minipaddle.tools.record.events import Event


@dataclass
class Breakpoint:
    """A condition to stop at, with its number."""

    number: int
    spec: Spec
    kind: str = "break"
    """``break``, ``tbreak`` (gone after the first stop) or ``watch`` (a value that is made anew)."""
    ignored: int = 0
    """How many times more it does not stop."""


class Breakpoints(dict[int, Breakpoint]):
    """All breakpoints of a session, by their numbers."""

    _last = 0

    def add(self, spec: Spec, kind: str = "break") -> Breakpoint:
        """Add a breakpoint and return it; its number is the next one."""
        self._last += 1
        made = self[self._last] = Breakpoint(self._last, spec, kind)
        return made

    def holding(self, cursor: Cursor, event: Event) -> list[Breakpoint]:
        """Return those that hold at `event`, whether they are to stop there or not."""
        return [one for one in self.values() if one.spec.holds(cursor, event)]

    def stop_at(self, cursor: Cursor, event: Event) -> bool:
        """Return whether to stop at `event`; ignored stops are counted, a ``tbreak`` is deleted."""
        stops = False
        for one in self.holding(cursor, event):
            if one.ignored:
                one.ignored -= 1
                continue
            stops = True
            if one.kind == "tbreak":
                del self[one.number]
        return stops
