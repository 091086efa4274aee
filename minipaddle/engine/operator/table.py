"""The table: every operator by its type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


class Table(Mapping[str, "Operator"]):
    """Operators by type. Files of seldom needed operators are loaded on first use."""

    def __init__(self) -> None:
        self._operators: dict[str, Operator] = {}
        self.later: dict[str, str] = {}
        """The module of each operator that is not loaded yet; :mod:`minipaddle.ops` fills it."""

    def define(self, op: Operator) -> Operator:
        """Add an operator, and return it.

        Raises:
            ValueError: if the type is taken.
        """
        if op.type in self._operators:
            raise ValueError(f"operator {op.type} is defined twice")
        self.later.pop(op.type, None)
        self._operators[op.type] = op
        return op

    def __getitem__(self, type: str) -> Operator:
        if type in self.later:
            import_module(self.later.pop(type))
        return self._operators[type]

    def __contains__(self, type: object) -> bool:
        return type in self._operators or type in self.later

    def __len__(self) -> int:
        return len(self._operators) + len(self.later)

    def __iter__(self) -> Iterator[str]:
        while self.later:
            import_module(self.later.popitem()[1])
        return iter(self._operators)


TABLE = Table()
