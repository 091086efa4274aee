"""The prompt: a thin ``cmd.Cmd`` over a session. Commands have the names of pdb's and gdb's where those exist."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from minipaddle.tools.debug.commands.base import SHORT, takes
from minipaddle.tools.debug.commands.completion import TOPICS, Completing, complete_whole_names
from minipaddle.tools.debug.commands.explain import Understanding
from minipaddle.tools.debug.commands.inspect import Looking
from minipaddle.tools.debug.commands.move import Moving, Stopping
from minipaddle.tools.debug.commands.session import Changing, Managing
from minipaddle.tools.debug.stop_spec import TERMS
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.words.events import phase
from minipaddle.tools.words.language import nearest, say

_GROUPS = {"move": Moving, "stop": Stopping, "look": Looking, "understand": Understanding, "change": Changing}


class Prompt(Moving, Stopping, Looking, Understanding, Changing, Managing, Completing):
    """Reads commands, moves the session, and writes the answers."""

    _lines = 0
    """The number of requests read so far, in JSON."""

    def run(self, line: str) -> bool:
        """Carry out one command; return whether it ends the session."""
        self.failed = False
        return bool(self.onecmd(line))

    def begin(self) -> None:
        """Show the first event."""
        try:
            self.show()
        except BadRecording as error:
            self.refuse(str(error))

    def onecmd(self, line: str) -> bool:
        """Carry out a command; an impossible one is answered, never raised. In JSON every line gets an answer."""
        if not self.as_json:
            return self.carry_out(line)
        self._lines += 1
        self.id, line, before = self._lines, line.strip(), self.answers
        if line.startswith("{"):
            try:
                request = json.loads(line)
                self.id, line = request.get("id", self.id), str(request["command"])
            except (ValueError, KeyError, RecursionError) as error:
                form = '{"id": 1, "command": "step"}'
                return self.refuse(say("a request is {form}: {error}", form=form, error=error))
        ended = bool(line) and not line.startswith("#") and self.carry_out(line)
        if self.answers == before:
            self.answer_object({"done": line})
        return ended

    def postcmd(self, stop: bool, line: str) -> bool:
        """Update the prompt, which shows the cursor's position."""
        self._set_prompt()
        return stop

    def default(self, line: str) -> None:
        """Answer an unknown command with the nearest ones."""
        word = line.split()[0]
        hint = nearest(word, self.commands()) or say("; try help")
        self.refuse(say("no command {word}", word=repr(word)) + hint)

    def cmdloop(self, intro: Any = None) -> None:
        """Read commands until the end; Ctrl-C returns to the prompt."""
        complete_whole_names()
        self._set_prompt()
        while True:
            try:
                return super().cmdloop(intro)
            except KeyboardInterrupt:
                self.write("")
                intro = None

    def _set_prompt(self) -> None:
        session = self.session
        fork = f"fork {self.forks.current}" if self.forks.current else ""
        here = f"mp {session.position}/{len(session.stops) - 1}"
        self.prompt = f"({' '.join(filter(None, (here, phase(session.event), fork)))}) "

    def do_help(self, arg: Annotated[str, "[COMMAND | TOPIC]"]) -> None:
        """What there is to say."""
        command = SHORT.get(arg, arg)
        if command in TOPICS:
            self.answer("help", map(say, TOPICS[command]))
        elif command and command not in self.commands():
            hint = nearest(command, list(dict.fromkeys([*self.commands(), *TOPICS]))) or say("; try help")
            self.refuse(say("no help about {word}", word=repr(command)) + hint)
        elif command:
            self.tell(lambda: {"help": [self._help_object(command)]}, lambda: [self._help_line(command)])
        else:
            self.tell(lambda: {"help": [*map(self._help_object, self.commands())]}, self._help_lines)

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
        command, short, usage, does = self._help_object(name).values()
        command, short = ("!", "") if name == "shell" else (command, short.partition(" ")[0])
        return f"{short:>3}  {f'{command} {usage}':<30}{does}"

    def _help_object(self, name: str) -> dict[str, str]:
        """Return the help of a command as JSON data."""
        short = " ".join(short for short, long in SHORT.items() if long == name)
        command = getattr(self, f"do_{name}")
        does = say((command.__doc__ or "").strip().splitlines()[0])
        return {"command": name, "short": short, "takes": takes(command), "does": does}
