"""The answer to the question why, for every kind of event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say


@dataclass
class Why:
    """Why an event gave what it gave."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers put in, for one element where there are many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""
    formulas: dict[int, str] = field(default_factory=dict)
    """The line of `rule` that says how a value was made, by its id."""

    def say(self, sentence: str, **parts: object) -> Why:
        """Add a sentence in the reader's language, and return the answer."""
        self.says.append(say(sentence, **parts))
        return self


def names_of(values: Iterable[Value]) -> str:
    """Return the names of values, each once: ``x, w``."""
    return ", ".join(dict.fromkeys(value.name for value in values))
