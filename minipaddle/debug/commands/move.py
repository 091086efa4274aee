"""Commands that move the cursor. Names are those of pdb and gdb."""

from __future__ import annotations

from collections.abc import Callable

from minipaddle.debug.commands.base import Desk, count_of, needed


class Moving(Desk):
    """step, next, finish, continue, back, rcontinue, goto, begin, end, up, down."""

    def do_step(self, arg: str) -> None:
        """Go to the next event, into the user's own code too."""
        self.session.step(count_of(arg))
        self.show()

    def do_next(self, arg: str) -> None:
        """Go to the next event, over the user's own code."""
        self._go(self.session.next, arg)

    def do_finish(self, arg: str) -> None:
        """Leave the user's own code that the cursor is in."""
        self._go(self.session.finish, arg)

    def do_continue(self, arg: str) -> None:
        """Go to the next breakpoint, or to the end."""
        self._go(self.session.resume, arg)

    def do_back(self, arg: str) -> None:
        """Go to the event before; what is shown is what was shown there."""
        self.session.back(count_of(arg))
        self.show()

    def do_rcontinue(self, arg: str) -> None:
        """Go back to the last breakpoint, or to the beginning."""
        self._go(self.session.resume_back, arg)

    def do_goto(self, arg: str) -> None:
        """Go to event N, to the next event that makes NAME, or to either end."""
        self.session.goto(needed(arg, "goto where? a number, or the name of a value"))
        self.show()

    def do_begin(self, arg: str) -> None:
        """Go to the first event."""
        self.session.goto("0")
        self.show()

    def do_end(self, arg: str) -> None:
        """Go to the last event."""
        self.session.goto(str(len(self.session.stops) - 1))
        self.show()

    def do_up(self, arg: str) -> None:
        """Go to the event that uses what this one made."""
        self._go(self.session.up, arg)

    def do_down(self, arg: str) -> None:
        """Go to the event that made what this one uses."""
        self._go(self.session.down, arg)

    def _go(self, move: Callable[[], object], arg: str) -> None:
        """Move as often as `arg` says, and show where that leads."""
        for _ in range(count_of(arg)):
            move()
        self.show()
