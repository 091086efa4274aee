"""Quick operator symbols of Tensor (``x * y``): two Tensors of one dtype, by far the commonest case.

They replace ``Value.__mul__`` and the like, which call ``beside`` for the meaning of the symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.mode.eager import mode_now

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "matmul": "@"}


def put_in_place(kind: Any, meaning: Any) -> None:
    """Give the class Tensor quick symbols; `meaning` is the module ops/signs.py, which handles all other operands."""
    for name, sign in _SIGNS.items():
        setattr(kind, f"__{name}__", _short(kind, meaning.OPERATORS[sign], meaning.SIGNS[sign]))
    minus, over = meaning.minus, meaning.over
    kind.__rsub__ = lambda self, other: minus(other, self)
    kind.__truediv__ = lambda self, other: over(self, other)


def _short(kind: Any, op: Any, otherwise: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    attrs = op.defaults

    def sign(self: Any, other: Any) -> Any:
        if isinstance(other, kind) and other.array.dtype is self.array.dtype:
            return mode_now().apply(op, (self, other), attrs)
        return otherwise(self, other)

    return sign
