"""The prompt: a thin ``cmd.Cmd`` over a session. Commands are those of pdb and gdb wherever they have one."""

from __future__ import annotations

import cmd
import difflib
import json
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from minipaddle.debug.cards import card, event_object, place, value_object, why_lines
from minipaddle.debug.expressions import evaluate, namespace
from minipaddle.debug.session import NoMove, Session
from minipaddle.trace.events import Value
from minipaddle.viz.glyphs import Glyphs
from minipaddle.viz.mirror import NoBackward, mirror
from minipaddle.viz.text import look, shape_text
from minipaddle.viz.tree import tree_rows

__all__ = ["Prompt"]

_ALIASES = {
    "s": "step", "n": "next", "bk": "back", "c": "continue", "f": "finish", "g": "goto", "w": "where", "p": "print",
    "q": "quit", "h": "help", "l": "list", "exit": "quit", "EOF": "quit",
}  # fmt: skip


class Prompt(cmd.Cmd):
    """Reads commands, moves the session, writes what there is to see.

    With `as_json`, every answer is one JSON object on a line of its own.
    """

    def __init__(
        self,
        session: Session,
        glyphs: Glyphs,
        write: Callable[[str], None],
        as_json: bool = False,
        **files: IO[str],
    ) -> None:
        super().__init__(**files)
        self.session = session
        self.glyphs = glyphs
        self.write = write
        self.as_json = as_json
        self.failed = False
        """Whether a command was not understood or not possible."""
        self._set_prompt()

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, line: str) -> bool:
        """Carry out one command; return whether it ends the session."""
        self.failed = False
        return bool(self.onecmd(line))

    def show(self) -> None:
        """Show the event under the cursor."""
        if self.as_json:
            self.write(json.dumps(event_object(self.session)))
        else:
            self._lines(card(self.session, self.glyphs))

    def onecmd(self, line: str) -> bool:
        """Carry out a command; an impossible one is answered, never raised."""
        word, _, rest = line.strip().partition(" ")
        word = _ALIASES.get(word, word)
        try:
            return super().onecmd(f"{word} {rest}" if rest else word)
        except NoMove as error:
            return self._refuse(str(error))

    def postcmd(self, stop: bool, line: str) -> bool:
        """Renew the prompt, which tells where the cursor is."""
        self._set_prompt()
        return stop

    def default(self, line: str) -> bool:
        """Answer an unknown command with the nearest ones."""
        word = line.split()[0]
        near = difflib.get_close_matches(word, self._commands() + list(_ALIASES), n=3)
        return self._refuse(
            f"no command {word!r}" + (f"; do you mean {', '.join(near)}?" if near else "; try help")
        )

    def cmdloop(self, intro: Any = None) -> None:
        """Read commands until the end; Ctrl-C returns to the prompt."""
        while True:
            try:
                return super().cmdloop(intro)
            except KeyboardInterrupt:
                self.write("")
                intro = None

    def _refuse(self, text: str) -> bool:
        self.failed = True
        self.write(json.dumps({"error": text}) if self.as_json else f"*** {text}")
        return False

    def _lines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def _answer(self, key: str, lines: list[str]) -> None:
        if self.as_json:
            self.write(json.dumps({key: lines}))
        else:
            self._lines(lines)

    def _set_prompt(self) -> None:
        session = self.session
        self.prompt = f"(mp {session.position}/{len(session.stops) - 1} {session.event.phase}) "

    # -- moving ---------------------------------------------------------------------------------------------------

    def do_step(self, arg: str) -> None:
        """step [N]: go to the next event, into the user's own code too."""
        self.session.step(_count(arg))
        self.show()

    def do_next(self, arg: str) -> None:
        """next [N]: go to the next event, over the user's own code."""
        for _ in range(_count(arg)):
            self.session.next()
        self.show()

    def do_finish(self, arg: str) -> None:
        """finish: leave the user's own code that the cursor is in."""
        self.session.finish()
        self.show()

    def do_continue(self, arg: str) -> None:
        """continue: go to the end."""
        self.session.resume()
        self.show()

    def do_back(self, arg: str) -> None:
        """back [N]: go to the event before; what is shown is what was shown there."""
        self.session.back(_count(arg))
        self.show()

    def do_goto(self, arg: str) -> None:
        """goto N|NAME: go to event N, or to the next event that makes NAME."""
        if not arg:
            raise NoMove("goto where? a number, or the name of a value")
        self.session.goto(arg)
        self.show()

    # -- looking --------------------------------------------------------------------------------------------------

    def do_list(self, arg: str) -> None:
        """list: the events around the cursor."""
        self._answer("list", [line for line in self._around(5)])

    def _around(self, reach: int) -> list[str]:
        here, lines = self.session.position, []
        try:
            for position in range(max(0, here - reach), min(len(self.session.stops), here + reach + 1)):
                self.session.position = position
                pointer = self.glyphs.pointer if position == here else " "
                head = next(iter(card(self.session, self.glyphs))).removeprefix(self.glyphs.top)
                lines.append(f"{pointer} {head}")
        finally:
            self.session.position = here
        return lines

    def do_where(self, arg: str) -> None:
        """where: the chain from here to the loss."""
        lines = []
        for event in self.session.chain():
            values = ", ".join(f"{v.name} {shape_text(v)}" for v in self.session.values(event.outputs))
            word = f"{event.title}_grad" if event.kind == "grad" else event.title
            lines.append("  ".join(filter(None, (word, values, place(event)))))
        self._answer("where", lines)

    def do_print(self, arg: str) -> None:
        """print EXPR: a value by its name (W, W@GRAD, W.grad), or a Python expression over values."""
        if not arg:
            raise NoMove("print what? the name of a value, or an expression")
        found = evaluate(self.session, arg)
        if self.as_json:
            self.write(json.dumps(value_object(found) if isinstance(found, Value) else {"print": str(found)}))
        elif isinstance(found, Value):
            self.write("  ".join(filter(None, (found.name, shape_text(found), found.dtype, look(found)))))
            if found.array is not None:
                self.write(_array_text(found.array))
        else:
            self.write(_array_text(found) if isinstance(found, np.ndarray) else str(found))

    def do_tree(self, arg: str) -> None:
        """tree: the graph of the backward pass that the cursor is in or before."""
        trace = self.session.trace
        try:
            graph = mirror(trace, max(1, self.session.event.pass_number))
        except NoBackward as error:
            raise NoMove(str(error)) from error
        rows = tree_rows(graph, trace, self.glyphs)
        self._answer("tree", ["  ".join(filter(None, row)) for row in rows])

    def do_why(self, arg: str) -> None:
        """why: the formula of the rule, the formula with this node's numbers, and a plain sentence."""
        self._answer("why", list(why_lines(self.session)))

    # -- the session ----------------------------------------------------------------------------------------------

    def do_quit(self, arg: str) -> bool:
        """quit: end the session."""
        return True

    def do_help(self, arg: str) -> None:
        """help [COMMAND]: what there is to say."""
        command = _ALIASES.get(arg, arg)
        if command and command not in self._commands():
            self.default(command)
            return
        names = [command] if command else self._commands()
        short = {long: short for short, long in _ALIASES.items() if len(short) <= 2}
        self._answer(
            "help",
            [
                f"{short.get(name, ''):>2}  {(getattr(self, f'do_{name}').__doc__ or '').strip()}"
                for name in names
            ],
        )

    def _commands(self) -> list[str]:
        return [name.removeprefix("do_") for name in self.get_names() if name.startswith("do_")]

    def completedefault(self, text: str, *ignored: Any) -> list[str]:
        """Complete names of values."""
        return sorted(name for name in namespace(self.session) if name.startswith(text))


def _count(arg: str) -> int:
    """Read how often to move.

    Raises:
        NoMove: unless it is a positive number.
    """
    if arg and not (arg.isdigit() and int(arg)):
        raise NoMove(f"how often? {arg!r} is not a positive number")
    return int(arg or 1)


def _array_text(array: Any) -> str:
    return np.array2string(np.asarray(array), precision=6, threshold=60, edgeitems=3)
