"""Where tensors live: there is one place, the CPU."""

from __future__ import annotations

__all__ = ["CPUPlace"]


class CPUPlace:
    """The one place there is."""

    def __repr__(self) -> str:
        return "Place(cpu)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CPUPlace)

    def __hash__(self) -> int:
        return hash(CPUPlace)
