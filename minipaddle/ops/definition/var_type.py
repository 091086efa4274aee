"""VarType: the kinds of Variables."""

from __future__ import annotations

from enum import Enum


class VarType(Enum):
    """The kinds of Variables that Programs use, with Paddle's numbers, which ``int`` gives."""

    LOD_TENSOR = 7
    STEP_SCOPES = 11

    def __int__(self) -> int:
        return int(self.value)
