"""The prompt: a thin ``cmd.Cmd`` over a session. Commands are those of pdb and gdb wherever they have one."""

from __future__ import annotations

import cmd
import difflib
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.debug.cards import (
    card,
    event_object,
    headline,
    place,
    source,
    title,
    value_object,
    why_lines,
    why_object,
)
from minipaddle.debug.expressions import evaluate
from minipaddle.debug.session import AtEdge, NoMove, Session
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
_USAGE = {
    "step": "[N]", "next": "[N]", "back": "[N]", "goto": "N | NAME | begin | end", "print": "EXPR", "help": "[COMMAND]",
}  # fmt: skip
_REACH = 5
"""How many events `list` shows on either side."""


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
    ) -> None:
        super().__init__()
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
            return bool(super().onecmd(f"{word} {rest}" if rest else word))
        except AtEdge as edge:
            self.write(json.dumps({"note": str(edge)}) if self.as_json else str(edge))
            return False
        except NoMove as error:
            return self._refuse(str(error))

    def postcmd(self, stop: bool, line: str) -> bool:
        """Renew the prompt, which tells where the cursor is."""
        self._set_prompt()
        return stop

    def default(self, line: str) -> None:
        """Answer an unknown command with the nearest ones."""
        word = line.split()[0]
        near = difflib.get_close_matches(word, self._commands(), n=3)
        self._refuse(f"no command {word!r}" + (f"; do you mean {', '.join(near)}?" if near else "; try help"))

    def cmdloop(self, intro: Any = None) -> None:
        """Read commands until the end; Ctrl-C returns to the prompt."""
        _complete_whole_names()
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
        """Go to the next event, into the user's own code too."""
        self.session.step(_count(arg))
        self.show()

    def do_next(self, arg: str) -> None:
        """Go to the next event, over the user's own code."""
        for _ in range(_count(arg)):
            self.session.next()
        self.show()

    def do_finish(self, arg: str) -> None:
        """Leave the user's own code that the cursor is in."""
        self.session.finish()
        self.show()

    def do_continue(self, arg: str) -> None:
        """Go to the end."""
        self.session.resume()
        self.show()

    def do_back(self, arg: str) -> None:
        """Go to the event before; what is shown is what was shown there."""
        self.session.back(_count(arg))
        self.show()

    def do_goto(self, arg: str) -> None:
        """Go to event N, to the next event that makes NAME, or to either end."""
        if not arg:
            raise NoMove("goto where? a number, or the name of a value")
        self.session.goto(arg)
        self.show()

    # -- looking --------------------------------------------------------------------------------------------------

    def do_list(self, arg: str) -> None:
        """The events around the cursor."""
        here, count = self.session.position, len(self.session.stops)
        lines = []
        for position in range(max(0, here - _REACH), min(count, here + _REACH + 1)):
            pointer = self.glyphs.pointer if position == here else " "
            lines.append(f"{pointer} {headline(self.session, position, len(str(count - 1)))}")
        self._answer("list", lines)

    def do_where(self, arg: str) -> None:
        """The chain from here to the loss."""
        lines = []
        for event in self.session.chain():
            values = ", ".join(f"{v.name} {shape_text(v)}" for v in self.session.values(event.outputs))
            lines.append("  ".join(filter(None, (title(event), values, place(source(self.session, event))))))
        self._answer("where", lines)

    def do_print(self, arg: str) -> None:
        """A value by its name (W, W@GRAD, W.grad), or a Python expression over values."""
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
        """The graph of the backward pass that the cursor is in or before."""
        trace = self.session.trace
        try:
            graph = mirror(trace, max(1, self.session.event.pass_number))
        except NoBackward as error:
            raise NoMove(str(error)) from error
        rows = tree_rows(graph, trace, self.glyphs)
        self._answer("tree", ["  ".join(filter(None, row)) for row in rows])

    def do_why(self, arg: str) -> None:
        """The formula of the rule, the formula with this node's numbers, and a plain sentence."""
        if self.as_json:
            self.write(json.dumps({"why": why_object(self.session)}))
        else:
            self._lines(why_lines(self.session))

    # -- the session ----------------------------------------------------------------------------------------------

    def do_quit(self, arg: str) -> bool:
        """End the session."""
        return True

    def do_help(self, arg: str) -> None:
        """What there is to say."""
        command = _ALIASES.get(arg, arg)
        if command and command not in self._commands():
            self.default(command)
            return
        self._answer("help", [self._help_line(name) for name in ([command] if command else self._commands())])

    def _help_line(self, name: str) -> str:
        """``bk  back [N]    Go to the event before...``."""
        short = {long: short for short, long in _ALIASES.items() if len(short) <= 2}.get(name, "")
        usage = f"{name} {_USAGE.get(name, '')}"
        return f"{short:>2}  {usage:<28}{_first_line(getattr(self, f'do_{name}'))}"

    def _commands(self) -> list[str]:
        return [name.removeprefix("do_") for name in self.get_names() if name.startswith("do_")]

    def completedefault(self, text: str, *ignored: Any) -> list[str]:
        """Complete names of values."""
        names = dict.fromkeys(value.name for value in self.session.trace.values)
        return sorted(name for name in names if name.startswith(text))


def _complete_whole_names() -> None:
    """Let completion see ``W@GRAD`` and ``self.w`` as one word each (there is no readline on Windows)."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer_delims(" \t()[]+-*/,=")


def _first_line(function: Any) -> str:
    return (function.__doc__ or "").strip().splitlines()[0]


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
