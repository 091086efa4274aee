"""Arithmetic of Tensors: ``x + y``, ``2 * x``, ``x < 0``, ``x @ w``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.mode import current
from minipaddle.core.operator import Operator
from minipaddle.ops import elementwise, linear, logic, scalars

__all__ = ["attach"]

_mode = current.get


def _binary(op: Operator, general: Callable[[Any, Any], Any]) -> Callable[[Tensor, Any], Any]:
    """Return the method for two Tensors of one dtype, the commonest case by far; `general` takes the others."""
    attrs = op.defaults

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor) and other.array.dtype is self.array.dtype:
            return _mode().apply(op, (self, other), attrs)
        return general(self, other)

    return method


def _reflected(general: Callable[[Any, Any], Any]) -> Callable[[Tensor, Any], Any]:
    return lambda self, other: general(other, self)


_OPERATORS: dict[str, tuple[Operator, Callable[[Any, Any], Any]]] = {
    "add": (elementwise.add, scalars.plus),
    "sub": (elementwise.subtract, scalars.minus),
    "mul": (elementwise.multiply, scalars.times),
    "truediv": (elementwise.divide, scalars.over),
    "floordiv": (elementwise.floor_divide, scalars.floor_over),
    "mod": (elementwise.remainder, scalars.modulo),
    "pow": (elementwise.elementwise_pow, scalars.power),
    "matmul": (linear.matmul, scalars.matmul),
    "and": (logic.bitwise_and, scalars.bit_and),
    "or": (logic.bitwise_or, scalars.bit_or),
    "xor": (logic.bitwise_xor, scalars.bit_xor),
}
