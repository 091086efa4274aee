"""paddle.jit: eager functions, run and saved as Programs."""

from __future__ import annotations

from functools import partial
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.jit.io import TranslatedLayer, load, save
from minipaddle.paddle.jit.static_function import StaticFunction
from minipaddle.paddle.nn.layer.layers import Layer

__all__ = ["TranslatedLayer", "load", "save", "to_static"]


def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """Return an eager function or Layer that runs as a Program: traced once for each kind of arguments.

    Values and gradients are those of eager execution. ``if``, ``while``, ``for``, ``break``, ``continue``, ``return``,
    ``and``, ``or``, ``not``, ``a if c else b``, ``assert``, ``print``, ``len`` and casts over Tensors become operators
    of the Program: they are rewritten in the source of the function (its `code`) and of functions that it calls. Other
    Python code runs once, when the function is traced: a ``for`` goes over items that it can count.

    Args:
        function: a function of Tensors, a Layer, or None for use as a decorator with arguments.
        options: no effect (``full_graph``).

    Returns:
        A StaticFunction; for a Layer the Layer itself, with a StaticFunction as its forward.

    Raises:
        TypeError: for other values.
    """
    if function is None:
        return partial(to_static, input_spec=input_spec)
    if isinstance(function, Layer):
        function.__dict__["forward"] = StaticFunction(function.forward, input_spec)
    if isinstance(function, (Layer, StaticFunction)):
        return function
    if not callable(function):
        raise TypeError(f"to_static needs a function or a Layer, but received {type(function).__name__}.")
    return StaticFunction(function, input_spec)


__getattr__ = missing(__name__, __all__)
