"""What the Tab key offers: commands, names of values, SPECs, topics of help, files."""

from __future__ import annotations

import glob
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from minipaddle.debug.commands.base import Desk
from minipaddle.debug.commands.topics import TOPICS
from minipaddle.debug.spec import TERMS, names_of_terms


class Completing(Desk, ABC):
    """One ``complete_COMMAND`` for each command whose argument is no name of a value."""

    aliases: dict[str, str]

    @abstractmethod
    def commands(self) -> list[str]:
        """Return the names of all commands."""

    def completenames(self, text: str, *ignored: Any) -> list[str]:
        """Complete commands and aliases."""
        return sorted(name for name in [*self.commands(), *self.aliases] if name.startswith(text))

    def completedefault(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete names of values."""
        return _continued(self.session.names, text, line, begin)

    def complete_break(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete terms of a SPEC, and the names that they ask for; after ``if``, values."""
        if " if " in line[:begin]:
            return self.completedefault(text, line, begin, end)
        term = _word_before(line, begin) + text
        return _continued([*TERMS, *names_of_terms(self.session.trace, term)], text, line, begin)

    complete_tbreak = complete_b = complete_break

    def complete_goto(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete what an event makes."""
        values = self.session.trace.values
        made = {value.name for value in values if value.producer is not None}
        return _continued([*made, "begin", "end"], text, line, begin)

    complete_g = complete_goto

    def complete_help(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete commands and topics."""
        return _continued([*self.commands(), *TOPICS], text, line, begin)

    complete_h = complete_help

    def complete_tensor(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete names of values and options."""
        return _continued([*self.session.names, "--hist", "--heat", "--stats", "--save"], text, line, begin)

    complete_t = complete_tensor

    def complete_run(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete names of files."""
        start = _word_before(line, begin) + text
        found = glob.glob(glob.escape(start) + "*")
        return _continued(
            [f"{one}{os.sep}" if os.path.isdir(one) else one for one in found], text, line, begin
        )

    complete_record = complete_graph = complete_run

    def complete_export(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete the form, then names of files."""
        if len(line[:begin].split()) < 2:
            return _continued(("json", "html"), text, line, begin)
        return self.complete_run(text, line, begin, end)

    def complete_alias(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete the name of an alias, then the command."""
        if len(line[:begin].split()) < 2:
            return _continued(self.aliases, text, line, begin)
        return self.completenames(text)


def _continued(words: Iterable[str], text: str, line: str, begin: int) -> list[str]:
    """Return the words that go on as typed, from where readline lets them go on: ``--hi`` is ``hi`` to it."""
    before = _word_before(line, begin)
    return sorted({word[len(before) :] for word in words if word.startswith(before + text)})


def _word_before(line: str, begin: int) -> str:
    return line[:begin].rsplit(" ", 1)[-1] if " " in line[:begin] else ""


def complete_whole_names() -> None:
    """Let completion see ``W@GRAD``, ``self.w`` and ``op:relu`` as one word each (there is no readline on Windows)."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer_delims(" \t()[]+-*/,=")
