"""Commands that move the cursor. Names are those of pdb and gdb."""

from collections.abc import Callable
from typing import Annotated

from minipaddle.tools.debug.commands.base import Desk, count_of, needed
from minipaddle.tools.debug.session import Session


def _moving(move: Callable[[Session], object], does: str, takes: str = "[N]") -> Callable[[Desk, str], None]:
    """Return the command that moves as often as it is told, and shows where that leads."""

    def command(desk: Desk, arg: str) -> None:
        for _ in range(count_of(arg)):
            move(desk.session)
        desk.show()

    command.__doc__ = does
    command.__annotations__["arg"] = Annotated[str, takes]
    return command


class Moving(Desk):
    """step, next, finish, continue, back, rcontinue, goto, begin, end, up, down."""

    do_next = _moving(Session.next, "Go to the next event, over the user's own code.")
    do_finish = _moving(Session.finish, "Leave the user's own code that the cursor is in.")
    do_continue = _moving(Session.resume, "Go to the next breakpoint, or to the end.")
    do_rcontinue = _moving(Session.resume_back, "Go back to the last breakpoint, or to the beginning.")
    do_up = _moving(Session.up, "Go to the event that uses what this one made.")
    do_down = _moving(Session.down, "Go to the event that made what this one uses.")
    do_begin = _moving(lambda session: session.goto("0"), "Go to the first event.", "")
    do_end = _moving(lambda session: session.goto(str(len(session.stops) - 1)), "Go to the last event.", "")

    def do_step(self, arg: Annotated[str, "[N]"]) -> None:
        """Go to the next event, into the user's own code too."""
        self.session.step(count_of(arg))
        self.show()

    def do_back(self, arg: Annotated[str, "[N]"]) -> None:
        """Go to the event before; what is shown is what was shown there."""
        self.session.back(count_of(arg))
        self.show()

    def do_goto(self, arg: Annotated[str, "N | NAME | begin | end"]) -> None:
        """Go to event N, to the next event that makes NAME, or to either end."""
        self.session.goto(needed(arg, "goto where? a number, or the name of a value"))
        self.show()
