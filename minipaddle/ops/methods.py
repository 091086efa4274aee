"""Functions of ``paddle`` that are also methods: ``x.mean()``, and in place ``x.add_(y)``.

A function whose first argument is a tensor is a method of Tensors and of Variables, as in Paddle. The choice of
in-place variants, methods of Tensors only, is Paddle's. The names are those that :mod:`minipaddle.ops`
imports, and those of :mod:`minipaddle.ops.families`, which are loaded on first use.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import Any

from minipaddle import ops
from minipaddle.engine.names.missing import REFUSED, MissingName
from minipaddle.engine.operator.lazy_loading import load
from minipaddle.engine.value.value import LaterMethod, Value
from minipaddle.ops.definition import Operator, current, invalid
from minipaddle.ops.families import METHODS
from minipaddle.ops.inplace import copies, inplace_variant
from minipaddle.ops.views.transpose import transpose


class Methods(Value):
    """The named methods of Tensors and Variables."""

    __slots__ = ()

    @property
    def T(self) -> Any:
        """The value with its axes in reverse order."""
        if self.ndim == 1 and current.get().dynamic:
            return self
        return transpose(self, list(range(self.ndim))[::-1])

    def cuda(self, device_id: Any = None, blocking: bool = True) -> Any:
        """Refuse to copy to a GPU."""
        raise invalid("No available device found.", "leave .cuda() out: all is on the CPU")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if f"paddle.Tensor.{name}" not in REFUSED]

    __abs__ = ops.abs
    __invert__ = ops.bitwise_not


class RefusedMethod:
    """A method that is refused on purpose: reading it raises the reason.

    A ``__getattr__`` would also work, but make each attribute look-up of a Tensor four times as slow.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, value: Any, owner: type) -> Any:
        raise MissingName(self._name, list)


for _full in REFUSED:
    if _full.startswith("paddle.Tensor."):
        setattr(Methods, _full.removeprefix("paddle.Tensor."), RefusedMethod(_full))


_FUNCTIONS_ONLY = """
    arange cast cat clone complex empty eye full hstack linspace normal ones rand randint randint_like
    randn randperm range shape standard_normal tolist uniform vstack zeros"""
"""Functions that are loaded at once and are not methods: most of them make tensors from numbers."""

_transpose_into = inplace_variant(ops.transpose)


def t_(input: Value, name: str | None = None) -> Value:
    """In-place variant of ``t``: the axes change places; the version goes up by 1."""
    if copies("t"):
        return ops.t(input)
    wanted = ops.t(input).ndim  # refuses more than two axes
    return _transpose_into(input, list(range(wanted))[::-1])


class InplaceMethods:
    """In-place variants: the result replaces the content of the Tensor, and its version goes up by 1."""

    __slots__ = ()

    t_ = t_


def __getattr__(name: str) -> Any:
    """Return an in-place variant as a function: ``paddle.abs_(x)`` is ``x.abs_()``."""
    return getattr(InplaceMethods, name)


INPLACE = """
    abs_ add_ cast_ ceil_ clamp_ clip_ cos_ divide_ exp_ flatten_ floor_ floor_divide_ masked_fill_
    multiply_ neg_ pow_ put_along_axis_ reciprocal_ remainder_ reshape_ round_ rsqrt_ scale_ scatter_ sigmoid_
    sin_ sqrt_ square_ squeeze_ subtract_ tanh_ transpose_ tril_ triu_ unsqueeze_"""
"""The other in-place variants; each is made on first use."""


def _inplace(name: str) -> Any:
    """Return the in-place variant of this name."""
    function = getattr(ops, name[:-1])
    method = inplace_variant(function.public if isinstance(function, Operator) else function)
    method.__name__ = method.__qualname__ = name  # also for an alias
    return method


for _name, _value in vars(ops).items():
    if (
        isinstance(_value, Operator | FunctionType)
        and _name[0] != "_"
        and _name not in _FUNCTIONS_ONLY.split()
    ):
        setattr(Methods, _name, _value)
        if isinstance(_value, Operator):
            _value.__set_name__(Methods, _name)
for _name, _home in METHODS.items():
    setattr(Methods, _name, LaterMethod(Methods, _name, partial(load, _home)))
for _name in INPLACE.split():
    setattr(InplaceMethods, _name, LaterMethod(InplaceMethods, _name, _inplace))
