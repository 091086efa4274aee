"""Unusable: what a variable holds whose value only one branch, or no iteration, could tell."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

from minipaddle.engine.errors import Line, user_line


class Dygraph2StaticException(Exception):
    """What a function does with values of a Program that a Program cannot do."""


class Unusable:
    """Stands for a value that a Program cannot have: using it says why."""

    def __init__(self, name: str, why: str) -> None:
        self.__dict__.update(_name=name, _why=why, _where=user_line())

    def refuse(self) -> NoReturn:
        """Say why it cannot be used.

        Raises:
            Dygraph2StaticException: always.
        """
        where: Line | None = self.__dict__["_where"]
        place = f"\n  In user code: {where}\n    {where.text}" if where else ""
        raise Dygraph2StaticException(f"{self.__dict__['_why']}{place}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self.refuse()

    def _refused(self, *unused: Any, **options: Any) -> Any:
        self.refuse()

    __bool__ = __call__ = __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = _refused
    __int__ = __float__ = __index__ = __str__ = __enter__ = _refused


for _name in vars(operator):
    if _name.startswith("__") and hasattr(int, _name) and _name not in ("__doc__", "__abs__", "__name__"):
        setattr(Unusable, _name, Unusable._refused)
