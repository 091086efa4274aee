"""What every command has at hand: the session, and three ways to answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from minipaddle.debug.cards import card, event_object
from minipaddle.debug.cursor import NoMove
from minipaddle.debug.forks import Forks
from minipaddle.debug.session import Session
from minipaddle.words.language import say
from minipaddle.words.symbols import Glyphs


class Desk:
    """The base of all groups of commands. With `as_json`, every answer is one JSON object on a line of its own."""

    def __init__(
        self,
        session: Session,
        glyphs: Glyphs,
        write: Callable[[str], None],
        as_json: bool = False,
        room: Callable[[], int] = int,
    ) -> None:
        self.session = session
        self.forks = Forks(session)
        self.glyphs = glyphs
        self.write = write
        self.as_json = as_json
        self.room = room
        """Returns how many cells a line may have; 0: as many as it needs."""

    def show(self) -> None:
        """Show the event under the cursor."""
        if self.as_json:
            self.answer_object(event_object(self.session))
        else:
            self.lines(card(self.session, self.glyphs))

    def lines(self, lines: Iterable[str]) -> None:
        """Write lines."""
        for line in lines:
            self.write(line)

    def answer(self, key: str, lines: Iterable[str]) -> None:
        """Write lines; as JSON, a list of them under `key`."""
        if self.as_json:
            self.answer_object({key: list(lines)})
        else:
            self.lines(lines)

    def answer_object(self, value: object) -> None:
        """Write JSON data, without numbers that JSON has not."""
        self.write(json.dumps(value, allow_nan=False))

    def note(self, text: str) -> None:
        """Write a remark."""
        if self.as_json:
            self.answer_object({"note": text})
        else:
            self.write(text)


def count_of(arg: str) -> int:
    """Read how often to do something.

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
