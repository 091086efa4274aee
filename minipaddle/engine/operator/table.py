"""The table: every operator by its type."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


class Table(dict[str, "Operator"]):
    """Operators by type. The files of those that are seldom needed are loaded when they are asked for."""

    def __init__(self) -> None:
        self.later: dict[str, str] = {}
        """The module of each that is not loaded yet; :mod:`minipaddle.ops` fills it."""

    def define(self, op: Operator) -> Operator:
        """Add an operator, and return it.

        Raises:
            ValueError: if there is one of this type.
        """
        if super().__contains__(op.type):
            raise ValueError(f"operator {op.type} is defined twice")
        self.later.pop(op.type, None)
        self[op.type] = op
        return op

    def __missing__(self, type: str) -> Operator:
        import_module(self.later.pop(type))
        return self[type]

    def __contains__(self, type: object) -> bool:
        return super().__contains__(type) or type in self.later

    def get(self, type: str, default: Any = None) -> Any:
        """Return the operator of this type, or `default`."""
        known = type in self
        return self[type] if known else default

    def __iter__(self) -> Iterator[str]:
        while self.later:
            import_module(self.later.popitem()[1])
        return super().__iter__()

    def values(self) -> Any:
        """Return all operators."""
        return [self[type] for type in self]


TABLE = Table()
