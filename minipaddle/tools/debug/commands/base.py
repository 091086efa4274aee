"""The base class of all commands: holds the session, and writes answers."""

import cmd
import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from minipaddle.tools.debug.cards import card, event_object
from minipaddle.tools.debug.cursor import AtEdge, NoMove, whole_number
from minipaddle.tools.debug.session import Breakpoint, Session
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.picture.model.mirror import NoBackward
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.words.events import phase
from minipaddle.tools.words.language import say
from minipaddle.tools.words.terminal import Symbols, table_lines

MOST_LINES = 500
"""Most lines of one answer, some ten screens; a longer one is cut, with a count of the rest."""

SHORT = {
    "s": "step", "n": "next", "bk": "back", "c": "continue", "rc": "rcontinue", "rn": "rnext", "f": "finish",
    "g": "goto", "b": "break", "w": "where", "p": "print", "t": "tensor", "l": "list", "src": "source",
    "q": "quit", "h": "help", "exit": "quit", "EOF": "quit", "!": "shell",
}  # fmt: skip
"""Abbreviations of commands."""


def takes(command: Callable[..., Any]) -> str:
    """Return the usage of a command's argument, from ``arg: Annotated[str, "NAME"]``; "" if it has none."""
    kind = get_type_hints(command, include_extras=True).get("arg")
    return str(get_args(kind)[1]) if get_origin(kind) is Annotated else ""


def write_line(line: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(line + "\n")


class Desk(cmd.Cmd):
    """The base of all groups of commands. With `as_json`, every answer is one JSON object on a line of its own."""

    def __init__(
        self,
        session: Session,
        symbols: Symbols,
        write: Callable[[str], None] = write_line,
        as_json: bool = False,
        room: Callable[[], int] = int,
    ) -> None:
        super().__init__()
        self.session = session
        session.log = self._log
        self.logged: dict[Breakpoint, dict[int, list[str]]] = {}
        """By logpoint and pass, what it printed since the last move."""
        self.printed, self._about = "", dict[str, Any]()
        self.forks = Forks(session)
        self.bound: dict[str, Any] = {}
        """What `!` has bound."""
        self.symbols = symbols
        self.write = write
        self.as_json = as_json
        self.id: object = 0
        """In JSON, the id in every answer: the number of the request's line, or the id in the request."""
        self.answers = 0
        """The number of answers written in JSON."""
        self.room = room
        """Returns the cells that a line may have; 0: any number."""
        self.failed = False
        """Whether a command was not understood or not possible."""

    def commands(self) -> list[str]:
        """Return the names of all commands."""
        return self.completenames("")

    def show(self) -> None:
        """Show the event under the cursor."""
        self.tell(partial(event_object, self.session), partial(card, self.session, self.symbols))

    def tell(self, data: Callable[[], dict[str, Any]], lines: Callable[[], Iterable[str]]) -> None:
        """Write the JSON data of an answer, or its lines."""
        if self.as_json:
            self.answer_object(data())
        else:
            self.lines(lines())

    def lines(self, lines: Iterable[str], most: int = MOST_LINES) -> None:
        """Write at most `most` of the lines, and the count of the others."""
        waiting = iter(lines)
        for line in islice(waiting, most):
            self.write(line)
        left = sum(1 for _ in waiting)
        if left:
            self.write(say("... and {count} more lines", count=left))

    def answer(self, key: str, lines: Iterable[str]) -> None:
        """Write lines; as JSON, a list of them under `key`."""
        self.tell(lambda: {key: list(lines)}, lambda: lines)

    def answer_object(self, value: dict[str, Any]) -> None:
        """Write JSON data with the id of the line that it answers; NaN and infinity are not allowed."""
        self.answers += 1
        self.write(json.dumps({"id": self.id, **self._about, **value}, allow_nan=False))

    def _log(self, hit: Breakpoint) -> None:
        """Carry out a logpoint's command at the cursor; as JSON with its number, the stop and the pass."""
        trace, event, self.printed = self.session.trace, self.session.event, ""
        passed = trace.pass_of(event)
        later = (number for number in trace.pass_numbers if number > passed)
        self._about = {"logpoint": hit.number, "at": self.session.position, "pass": passed}
        self.carry_out(hit.do)
        self._about = {}
        if self.printed:  # forward belongs to the pass that comes
            row = next(later, passed + 1) if phase(event) == "forward" else passed
            self.logged.setdefault(hit, {}).setdefault(row, []).append(self.printed)

    def show_logged(self) -> None:
        """Show what logpoints have printed as a table, a row for each pass, if there were several."""
        columns = dict(sorted(self.logged.items(), key=lambda one: one[0].number))
        self.logged = {}
        passes = sorted({number for cells in columns.values() for number in cells})
        heads = [hit.do.partition(" ")[2] for hit in columns]
        rows = [
            [str(number), *("; ".join(one.get(number, ())) for one in columns.values())] for number in passes
        ]
        if len(rows) > 1:
            keys = [str(hit.number) for hit in columns]
            self.tell(
                lambda: {"table": [dict(zip(["pass", *keys], row, strict=True)) for row in rows]},
                lambda: table_lines([say("pass"), *heads], rows),
            )

    def note(self, text: str) -> None:
        """Write a remark."""
        self.tell(lambda: {"note": text}, lambda: [text])

    def refuse(self, text: str) -> bool:
        """Answer a bad or impossible command with `text`; return False, so that the session goes on."""
        self.failed = True
        self.tell(lambda: {"error": text}, lambda: [f"*** {text}"])
        return False

    def carry_out(self, line: str) -> bool:
        """Run a command; return whether it ends the session. A failure is answered, not raised."""
        line = line.strip()
        word, _, rest = (line[:1], "", line[1:]) if line.startswith("!") else line.partition(" ")
        word = SHORT.get(word, word)
        try:
            self._insist_on_arguments(word, rest.split())
            return bool(super().onecmd(f"{word} {rest.strip()}" if rest else word))
        except AtEdge as edge:
            self.note(str(edge))
            return False
        except (NoMove, NoBackward, BadRecording) as error:
            return self.refuse(str(error))

    def _insist_on_arguments(self, word: str, given: list[str]) -> None:
        """Check the number of a command's arguments. Raises NoMove if there are too many."""
        if word not in self.commands():
            return
        usage = takes(getattr(self, f"do_{word}"))
        by_line = given[:1] == ["line"]
        most = {"": 0, "[N]": 1, "[K]": 1, "K": 1, "[I]": 1, "[line] [N]": 1 + by_line}.get(usage, len(given))
        if len(given) > most:
            mine = usage or say("nothing")
            raise NoMove(
                "{command} takes {takes}, not {given}", command=word, takes=mine, given=" ".join(given)
            )


def count_of(arg: str) -> int:
    """Return the repeat count of a command, 1 if `arg` is empty. Raises NoMove if it is not positive."""
    return number_of(arg or "1", say("how often? {arg} is not a positive number", arg=repr(arg)), 1)


def number_of(text: str, complaint: str, least: int = 0) -> int:
    """Return the number that `text` spells. Raises NoMove with the `complaint`, if it spells none or a smaller one."""
    number = whole_number(text)
    if number is None or number < least:
        raise NoMove(complaint)
    return number


def needed(arg: str, question: str) -> str:
    """Return `arg`. Raises NoMove with the `question`, if it is empty."""
    if not arg:
        raise NoMove(say(question))
    return arg
