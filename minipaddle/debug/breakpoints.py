"""Breakpoints: numbered, counted, ignored for a while, gone after the first stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minipaddle.debug.cursor import Cursor
from minipaddle.debug.spec import Spec
from minipaddle.trace.events import Event


@dataclass
class Breakpoint:
    """A condition to stop at, with its number."""

    number: int
    spec: Spec
    kind: str = "break"
    """``break``, ``tbreak`` (gone after the first stop) or ``watch`` (a value that is made anew)."""
    ignored: int = 0
    """How many times more it does not stop."""


class Breakpoints:
    """All breakpoints of a session."""

    def __init__(self) -> None:
        self._all: dict[int, Breakpoint] = {}
        self._last = 0

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(self._all.values())

    @property
    def some(self) -> bool:
        """Whether there are any."""
        return bool(self._all)

    def add(self, spec: Spec, kind: str = "break") -> Breakpoint:
        """Add a breakpoint and return it; its number is the next one."""
        self._last += 1
        made = self._all[self._last] = Breakpoint(self._last, spec, kind)
        return made

    def get(self, number: int) -> Breakpoint | None:
        """Return the breakpoint with this number, or None."""
        return self._all.get(number)

    def delete(self, number: int | None = None) -> bool:
        """Delete one, or all; return whether there was one."""
        if number is not None:
            return self._all.pop(number, None) is not None
        there = bool(self._all)
        self._all.clear()
        return there

    def holding(self, cursor: Cursor, event: Event) -> list[int]:
        """Return the numbers of those that hold at `event`, whether they are to stop there or not."""
        return [one.number for one in self if one.spec.holds(cursor, event)]

    def stop_at(self, cursor: Cursor, event: Event) -> bool:
        """Return whether to stop at `event`; ignored stops are counted, a ``tbreak`` is deleted."""
        stops = False
        for number in self.holding(cursor, event):
            one = self._all[number]
            if one.ignored:
                one.ignored -= 1
                continue
            stops = True
            if one.kind == "tbreak":
                del self._all[number]
        return stops
