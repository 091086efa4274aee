"""The answer to the question why, for every kind of event."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Why:
    """Why an event gave what it gave."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers put in, for one element where there are many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""
