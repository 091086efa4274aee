"""Placements: how a tensor lies on one axis of a mesh of processes."""

from __future__ import annotations

from enum import IntEnum

ReduceType = IntEnum(
    "ReduceType", ["kRedSum", "kRedMax", "kRedMin", "kRedProd", "kRedAvg", "kRedAny", "kRedAll"], start=0
)
"""How the parts of a Partial tensor become the whole."""


class Placement:
    """How a tensor lies on one axis of a mesh; one of Shard, Replicate and Partial."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Return whether it is cut, along `dim` if that is given."""
        return False

    def is_replicated(self) -> bool:
        """Return whether each process has the whole."""
        return False

    def is_partial(self) -> bool:
        """Return whether each process has a part of each number."""
        return False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))


class Shard(Placement):
    """Cut along one of the tensor's axes."""

    def __init__(self, dim: int) -> None:
        self._dim = dim

    def get_dim(self) -> int:
        """Return the axis that is cut."""
        return self._dim

    def is_shard(self, dim: int | None = None) -> bool:
        """Return whether it is cut, along `dim` if that is given."""
        return dim is None or dim == self._dim

    def __repr__(self) -> str:
        return f"Shard(dim={self._dim})"


class Replicate(Placement):
    """The whole, on each process."""

    def is_replicated(self) -> bool:
        """Return True."""
        return True

    def __repr__(self) -> str:
        return "Replicate()"


class Partial(Placement):
    """A part of each number on each process; together they are the whole."""

    def __init__(self, reduce_type: ReduceType = ReduceType.kRedSum) -> None:
        self._reduce_type = reduce_type

    def reduce_type(self) -> ReduceType:
        """Return how the parts become the whole."""
        return self._reduce_type

    def is_partial(self) -> bool:
        """Return True."""
        return True

    def __repr__(self) -> str:
        word = self._reduce_type.name.removeprefix("kRed").upper()
        return f"Partial(reduce_type={'PRODUCT' if word == 'PROD' else word})"
