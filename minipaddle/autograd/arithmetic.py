"""Arithmetic of Tensors: ``x + y``, ``2 * x``, ``x < 0``, ``x @ w``, ``x[0]``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.eager import current
from minipaddle.core.operator import Operator
from minipaddle.ops import arithmetic
from minipaddle.ops.indexing import index as indexing
from minipaddle.ops.linalg import matmul as matrix
from minipaddle.ops.logic import compare as logic
from minipaddle.ops.logic import logical
from minipaddle.ops.math import arithmetic as elementwise
from minipaddle.ops.math import rounding

General = Callable[[Any, Any], Any]
_mode = current.get


def _binary(op: Operator, general: General) -> Callable[[Tensor, Any], Any]:
    """Return the method for two Tensors of one dtype, the commonest case by far; `general` takes the others."""
    attrs = op.defaults

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor) and other.array.dtype is self.array.dtype:
            return _mode().apply(op, (self, other), attrs)
        return general(self, other)

    return method


def _reflected(general: General) -> Callable[[Tensor, Any], Any]:
    return lambda self, other: general(other, self)


def _sign(op: Operator, sign: str) -> General:
    return lambda x, y: arithmetic.binary(op, sign, x, y)


_ARITHMETIC: dict[str, tuple[Operator, General]] = {
    "add": (elementwise.add, arithmetic.plus),
    "sub": (elementwise.subtract, arithmetic.minus),
    "mul": (elementwise.multiply, arithmetic.times),
    "matmul": (matrix.matmul, arithmetic.matmul_),
}
_OTHER: dict[str, General] = {
    "truediv": arithmetic.over,
    "floordiv": arithmetic.floor_over,
    "mod": arithmetic.modulo,
    "pow": arithmetic.power,
    "and": _sign(logical.bitwise_and, "&"),
    "or": _sign(logical.bitwise_or, "|"),
    "xor": _sign(logical.bitwise_xor, "^"),
}
_COMPARISONS: dict[str, General] = {
    "lt": _sign(logic.less_than, "<"),
    "le": _sign(logic.less_equal, "<="),
    "gt": _sign(logic.greater_than, ">"),
    "ge": _sign(logic.greater_equal, ">="),
}


def _method(general: General) -> Callable[[Tensor, Any], Any]:
    return lambda self, other: general(self, other)


def _equal(self: Tensor, other: Any) -> Any:
    """``x == y``; nothing is equal to None."""
    return False if other is None else arithmetic.binary(logic.equal, "==", self, other)


def _not_equal(self: Tensor, other: Any) -> Any:
    """``x != y``; everything differs from None."""
    return True if other is None else arithmetic.binary(logic.not_equal, "!=", self, other)


def _rows(self: Tensor) -> Iterator[Any]:
    """Iterate over the first axis; the rows stay connected to the graph."""
    for index in range(len(self)):
        yield indexing.getitem(self, index)


_SPECIAL: dict[str, Callable[..., Any]] = {
    "eq": _equal,
    "ne": _not_equal,
    "neg": lambda self: arithmetic.times(self, -1),
    "pos": lambda self: self,
    "invert": lambda self: logical.bitwise_not(self),
    "abs": lambda self: rounding.abs(self),
    "getitem": lambda self, index: indexing.getitem(self, index),
    "setitem": lambda self, index, value: indexing.setitem_inplace(self, index, value),
    "iter": _rows,
}


def attach_arithmetic() -> None:
    """Give Tensor its operators."""
    for name, (op, general) in _ARITHMETIC.items():
        setattr(Tensor, f"__{name}__", _binary(op, general))
        setattr(Tensor, f"__r{name}__", _reflected(general))
    for name, general in _OTHER.items():
        setattr(Tensor, f"__{name}__", _method(general))
        setattr(Tensor, f"__r{name}__", _reflected(general))
    for name, general in _COMPARISONS.items():
        setattr(Tensor, f"__{name}__", _method(general))
    for name, function in _SPECIAL.items():
        setattr(Tensor, f"__{name}__", function)
