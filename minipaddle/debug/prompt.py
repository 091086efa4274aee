"""The prompt: a thin ``cmd.Cmd`` over a session. Commands are those of pdb and gdb wherever they have one."""

from __future__ import annotations

import cmd
import difflib
from collections.abc import Callable, Iterator
from typing import Any

from minipaddle.debug.commands.base import SHORT
from minipaddle.debug.commands.completion import Completing, complete_whole_names
from minipaddle.debug.commands.explain import Understanding
from minipaddle.debug.commands.inspect import Looking
from minipaddle.debug.commands.move import Moving
from minipaddle.debug.commands.session import Managing
from minipaddle.debug.commands.stop import Stopping
from minipaddle.debug.commands.topics import TOPICS
from minipaddle.debug.commands.what_if import Changing
from minipaddle.debug.cursor import AtEdge, NoMove
from minipaddle.debug.history import first_commands, lines_kept
from minipaddle.debug.session import Session
from minipaddle.debug.spec import TERMS
from minipaddle.trace.checked import BadRecording
from minipaddle.words.language import say
from minipaddle.words.symbols import Symbols

_USAGE = {
    "step": "[N]", "next": "[N]", "back": "[N]", "continue": "[N]", "rcontinue": "[N]",
    "up": "[N]", "down": "[N]", "goto": "N | NAME | begin | end",
    "break": "[SPEC]", "tbreak": "SPEC", "watch": "NAME", "delete": "[N]", "ignore": "N K",
    "print": "EXPR", "tensor": "NAME [--hist]", "display": "[NAME]", "undisplay": "[NAME]", "jac": "[I]",
    "vjp": "[I]", "graph": "[FILE]", "set": "NAME = EXPR", "switch": "K", "diff": "[K]", "record": "FILE.mpt",
    "export": "json | html FILE", "run": "FILE", "alias": "[NAME COMMAND]", "shell": "PYTHON",
    "why": "[NAME]",     "help": "[COMMAND | TOPIC]",
}  # fmt: skip
_GROUPS = {"move": Moving, "stop": Stopping, "look": Looking, "understand": Understanding, "change": Changing}


class Prompt(Moving, Stopping, Looking, Understanding, Changing, Managing, Completing, cmd.Cmd):
    """Reads commands, moves the session, writes what there is to see."""

    def __init__(
        self,
        session: Session,
        symbols: Symbols,
        write: Callable[[str], None],
        as_json: bool = False,
        room: Callable[[], int] = int,
    ) -> None:
        cmd.Cmd.__init__(self)
        Managing.__init__(self, session, symbols, write, as_json, room)
        self.failed = False
        """Whether a command was not understood or not possible."""
        self._set_prompt()

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self, line: str) -> bool:
        """Carry out one command; return whether it ends the session."""
        self.failed = False
        return bool(self.onecmd(line))

    def begin(self) -> None:
        """Show where the session begins."""
        try:
            self.show()
        except BadRecording as error:
            self._refuse(str(error))

    def carry_out(self, line: str) -> bool:
        """Carry out one command of many; a failure is remembered."""
        return bool(self.onecmd(line))

    def onecmd(self, line: str) -> bool:
        """Carry out a command; an impossible one is answered, never raised."""
        line = line.strip()
        word, _, rest = (line[:1], "", line[1:]) if line.startswith("!") else line.partition(" ")
        word, rest = self.unaliased(word, rest)
        word = SHORT.get(word, word)
        try:
            return bool(super().onecmd(f"{word} {rest.strip()}" if rest else word))
        except AtEdge as edge:
            self.note(str(edge))
            return False
        except (NoMove, BadRecording) as error:
            return self._refuse(str(error))

    def postcmd(self, stop: bool, line: str) -> bool:
        """Renew the prompt, which tells where the cursor is."""
        self._set_prompt()
        return stop

    def default(self, line: str) -> None:
        """Answer an unknown command with the nearest ones."""
        word = line.split()[0]
        near = difflib.get_close_matches(word, [*self.commands(), *self.aliases], n=3)
        hint = say("; do you mean {names}?", names=", ".join(near)) if near else say("; try help")
        self._refuse(say("no command {word}", word=repr(word)) + hint)

    def cmdloop(self, intro: Any = None) -> None:
        """Read commands until the end; Ctrl-C returns to the prompt."""
        complete_whole_names()
        with lines_kept():
            for line in first_commands():
                if self.run(line):
                    return None
            self._set_prompt()
            while True:
                try:
                    return super().cmdloop(intro)
                except KeyboardInterrupt:
                    self.write("")
                    intro = None

    def _refuse(self, text: str) -> bool:
        self.failed = True
        if self.as_json:
            self.answer_object({"error": text})
        else:
            self.write(f"*** {text}")
        return False

    def _set_prompt(self) -> None:
        session = self.session
        fork = f" fork {self.forks.current}" if self.forks.current else ""
        self.prompt = f"(mp {session.position}/{len(session.stops) - 1} {session.event.phase}{fork}) "

    # -- help -----------------------------------------------------------------------------------------------------

    def do_help(self, arg: str) -> None:
        """What there is to say."""
        command = SHORT.get(arg, arg)
        if command in TOPICS:
            self.answer("help", map(say, TOPICS[command]))
        elif command and command not in self.commands():
            near = difflib.get_close_matches(command, [*self.commands(), *TOPICS], n=3)
            hint = say("; do you mean {names}?", names=", ".join(near)) if near else say("; try help")
            self._refuse(say("no help about {word}", word=repr(command)) + hint)
        elif command:
            self.answer("help", [self._help_line(command)])
        else:
            self.answer("help", self._help_lines())

    def _help_lines(self) -> Iterator[str]:
        left = self.commands()
        for group, owner in _GROUPS.items():
            mine = [name for name in left if f"do_{name}" in vars(owner)]
            yield f"{say(group)}:"
            yield from map(self._help_line, mine)
            left = [name for name in left if name not in mine]
        yield f"{say('session')}:"
        yield from map(self._help_line, left)
        yield say("SPEC: {terms}; `help spec` explains them", terms=" ".join(TERMS))
        yield say("topics of help: {topics}", topics=" ".join(TOPICS))

    def _help_line(self, name: str) -> str:
        """``bk  back [N]    Go to the event before...``."""
        short = next((short for short, long in SHORT.items() if long == name and len(short) <= 3), "")
        usage = f"{name if name != 'shell' else '!'} {_USAGE.get(name, '')}"
        sentence = (getattr(self, f"do_{name}").__doc__ or "").strip().splitlines()[0]
        return f"{short if name != 'shell' else '':>3}  {usage:<30}{say(sentence)}"

    def commands(self) -> list[str]:
        """Return the names of all commands."""
        return [name.removeprefix("do_") for name in self.get_names() if name.startswith("do_")]
