"""What the question why is answered with."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Why:
    """The answer."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers put in, for one element where there are many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""
