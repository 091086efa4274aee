"""Commands that move the cursor and set breakpoints, named as in pdb and gdb."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from minipaddle.tools.debug.commands.base import SHORT, Desk, count_of, needed, number_of
from minipaddle.tools.debug.commands.explain import Understanding
from minipaddle.tools.debug.commands.inspect import Looking
from minipaddle.tools.debug.cursor import AtEdge, NoMove
from minipaddle.tools.debug.session import Breakpoint, Session
from minipaddle.tools.debug.stop_spec import parse, written
from minipaddle.tools.words.language import say


def _moving(
    move: Callable[[Session], object], does: str, towards: int = 0, over: bool = False, takes: str = "[N]"
) -> Callable[[Desk, str], None]:
    """Return a command that repeats `move` N times, then shows where the cursor is; with `towards`, also by lines."""

    def command(desk: Desk, arg: str) -> None:
        word, _, count = arg.partition(" ")
        by_line = word == "line" and towards != 0
        for done in range(count_of(count if by_line else arg)):
            try:
                desk.session.go_to_line(towards, over) if by_line else move(desk.session)
            except AtEdge:
                if not done:
                    raise
                break
        desk.show()
        desk.show_logged()

    command.__doc__ = does
    command.__annotations__["arg"] = Annotated[str, "[line] [N]" if towards else takes]
    return command


class Moving(Desk):
    """step, next, finish, continue, back, rnext, rcontinue, goto, first, begin, end."""

    do_step = _moving(Session.step, "Go to the next event (or line), into the user's own code too.", 1)
    do_next = _moving(Session.next, "Go to the next event (or line), over the user's own code.", 1, True)
    do_finish = _moving(Session.finish, "Leave the user's own code that the cursor is in.")
    do_continue = _moving(Session.resume, "Go to the next breakpoint, or to the end.")
    do_back = _moving(Session.back, "Go to the event (or line) before, as it was shown there.", -1)
    do_rnext = _moving(Session.next_back, "Go to the event (or line) before, over the user's code.", -1, True)
    do_rcontinue = _moving(Session.resume_back, "Go back to the last breakpoint, or to the beginning.")
    do_begin = _moving(lambda session: session.goto("0"), "Go to the first event.", takes="")
    do_end = _moving(lambda one: one.goto(str(len(one.stops) - 1)), "Go to the last event.", takes="")

    def do_goto(self, arg: Annotated[str, "N | NAME | begin | end"]) -> None:
        """Go to event N, to the next event that makes NAME, or to either end."""
        self.session.goto(needed(arg, "goto where? a number, or the name of a value"))
        self.show()
        later = self.session.later
        if later and not self.as_json:
            self.note(say("{name}: {count} later, `goto {name}` again goes on", name=arg, count=later))

    def do_first(self, arg: Annotated[str, "SPEC"]) -> None:
        """Go to the first event at which SPEC holds, or an expression: `first loss > 2`, `first w@GRAD nan`."""
        self.session.first(needed(arg, "the first event at which what holds? SPEC, or an expression"))
        self.show()


class Stopping(Desk):
    """break, watch, delete, breaks."""

    def do_break(self, arg: Annotated[str, "[SPEC] [do COMMAND]"]) -> None:
        """Let continue stop wherever SPEC holds; with `do` it goes on; without SPEC, list the breakpoints."""
        spec, _, command = arg.partition(" do ")
        word = command.partition(" ")[0]
        if word and f"do_{SHORT.get(word, word)}" not in {*vars(Looking), *vars(Understanding)}:
            raise NoMove("{command} is no command that looks, such as print or why", command=word)
        if spec:
            self._report(self.session.stop_at(partial(parse, spec), do=command))
        else:
            self.do_breaks("")

    def do_watch(self, arg: Annotated[str, "NAME"]) -> None:
        """Stop wherever NAME is made anew; of a variable of Python's, after it has changed."""
        name = needed(arg, "watch what? the name of a value")
        self._report(self.session.stop_at(partial(written, name), "watch"))

    def do_delete(self, arg: Annotated[str, "[N]"]) -> None:
        """Delete breakpoint N, or all of them."""
        there = self.session.breakpoints
        gone = [number_of(arg, say("{arg} is no number", arg=repr(arg)))] if arg else list(there)
        if not gone or gone[0] not in there:
            raise NoMove(say("there is no breakpoint {number}", number=arg) if arg else say("no breakpoints"))
        for number in gone:
            del there[number]
        self.note(say("deleted breakpoint {number}", number=arg) if arg else say("deleted all breakpoints"))

    def do_breaks(self, arg: str) -> None:
        """The breakpoints."""
        there = self.session.breakpoints.values()
        self.tell(
            lambda: {"breaks": [_object(one) for one in there]},
            lambda: map(_line, there) if there else [say("no breakpoints")],
        )

    def _report(self, made: Breakpoint) -> None:
        self.tell(lambda: {"break": _object(made)}, lambda: [_line(made)])


def _line(one: Breakpoint) -> str:
    return f"{one.kind} {one.number}: {one.spec.text}{f' do {one.do}' if one.do else ''}"


def _object(one: Breakpoint) -> dict[str, object]:
    return {"number": one.number, "kind": one.kind, "spec": one.spec.text, "do": one.do}
