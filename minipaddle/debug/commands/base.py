"""The base of all commands: the session, and the ways to answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any

from minipaddle.debug.cards import card, event_object
from minipaddle.debug.cursor import NoMove
from minipaddle.debug.forks import Forks
from minipaddle.debug.session import Session
from minipaddle.words.language import say
from minipaddle.words.symbols import Symbols

MOST_LINES = 500
"""Lines of one answer; what is longer is cut, and says so."""

SHORT = {
    "s": "step", "n": "next", "bk": "back", "c": "continue", "rc": "rcontinue", "f": "finish", "g": "goto",
    "u": "up", "d": "down", "b": "break", "w": "where", "p": "print", "t": "tensor", "l": "list", "src": "source",
    "q": "quit", "h": "help", "exit": "quit", "EOF": "quit", "!": "shell",
}  # fmt: skip
"""What may be typed for a command."""


class Desk:
    """The base of all groups of commands. With `as_json`, every answer is one JSON object on a line of its own."""

    def __init__(
        self,
        session: Session,
        symbols: Symbols,
        write: Callable[[str], None],
        as_json: bool = False,
        room: Callable[[], int] = int,
    ) -> None:
        self.session = session
        self.forks = Forks(session)
        self.symbols = symbols
        self.write = write
        self.as_json = as_json
        self.id: object = 0
        """In JSON, what every answer bears: the number of the line that asked, or the id that this gave itself."""
        self.answers = 0
        """How many answers there were in JSON."""
        self.room = room
        """Returns how many cells a line may have; 0: as many as it needs."""

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
        """Write lines, `most` of them, and how many are left out."""
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
        """Write JSON data, without numbers that JSON has not, and to which line it is the answer."""
        self.answers += 1
        self.write(json.dumps({"id": self.id, **value}, allow_nan=False))

    def note(self, text: str) -> None:
        """Write a remark."""
        self.tell(lambda: {"note": text}, lambda: [text])


def count_of(arg: str) -> int:
    """Return how often to do something: 1, unless `arg` says another number.

    Raises:
        NoMove: unless it is a positive number.
    """
    if arg and not (arg.isdigit() and int(arg)):
        raise NoMove(say("how often? {arg} is not a positive number", arg=repr(arg)))
    return int(arg or 1)


def needed(arg: str, question: str) -> str:
    """Return `arg`.

    Raises:
        NoMove: with the `question`, if it is empty.
    """
    if not arg:
        raise NoMove(say(question))
    return arg
