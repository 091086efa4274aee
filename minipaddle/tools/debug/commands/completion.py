"""What the Tab key offers: commands, names of values, SPECs, topics of help, files."""

import glob
import os
from collections.abc import Iterable
from typing import Any

from minipaddle.tools.debug.commands.base import SHORT, Desk
from minipaddle.tools.debug.commands.topics import TOPICS
from minipaddle.tools.debug.stop_spec import TERMS, names_of_terms


class Completing(Desk):
    """What may come next, for each command."""

    def completenames(self, text: str, *ignored: Any) -> list[str]:
        """Complete commands and aliases."""
        return sorted(name for name in [*self.commands(), *self.aliases] if name.startswith(text))

    def completedefault(self, text: str, line: str, begin: int, end: int) -> list[str]:
        """Complete what the command of the line takes."""
        command, *given = line[:begin].split()
        before = line[:begin].rsplit(" ", 1)[-1] if " " in line[:begin] else ""  # `--hi` is `hi` to readline
        words = self._offered(SHORT.get(command, command), given[: len(given) - bool(before)], before + text)
        return sorted({word[len(before) :] for word in words if word.startswith(before + text)})

    complete_help = completedefault  # cmd.Cmd has one of its own

    def _offered(self, command: str, given: list[str], begun: str) -> Iterable[str]:
        """Return the words that `command` takes after the words that are `given`; the next one is `begun`."""
        names = self.session.names
        match command, given:
            case "break" | "tbreak", _ if "if" not in given:
                return [*TERMS, *names_of_terms(self.session.trace, begun)]
            case "goto", _:
                made = (value.name for value in self.session.trace.values if value.producer is not None)
                return [*made, "begin", "end"]
            case "help", _:
                return [*self.commands(), *TOPICS]
            case "tensor", _:
                return [*names, "--hist", "--heat", "--stats", "--save"]
            case "export", []:
                return ("json", "html")
            case "alias", []:
                return self.aliases
            case "alias", _:
                return [*self.commands(), *self.aliases]
            case "run" | "record" | "graph" | "export", _:
                found = glob.glob(glob.escape(begun) + "*")
                return [f"{one}{os.sep}" if os.path.isdir(one) else one for one in found]
        return names


def complete_whole_names() -> None:
    """Let completion see ``W@GRAD``, ``self.w`` and ``op:relu`` as one word each (there is no readline on Windows)."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer_delims(" \t()[]+-*/,=")
