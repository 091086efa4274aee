"""paddle.jit: functions that were written eagerly, run and saved as Programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.jit.dy2static import logging_utils as logging_utils
from minipaddle.paddle.jit.dy2static import program_translator as program_translator
from minipaddle.paddle.jit.dy2static.calls import STAYS, ignored
from minipaddle.paddle.jit.io import TranslatedLayer, load, save
from minipaddle.paddle.jit.rewriting.told import set_code_level, set_verbosity
from minipaddle.paddle.jit.static_function import ConcreteProgram, StaticFunction, enable_to_static
from minipaddle.paddle.nn.layer.layers import Layer

__all__ = [
    "ConcreteProgram", "StaticFunction", "TranslatedLayer", "enable_to_static", "ignore_module", "load",
    "not_to_static", "save", "set_code_level", "set_verbosity", "to_static",
]  # fmt: skip


def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """Run a function or Layer that is written eagerly as a Program: traced once for each kind of arguments.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/to_static_en.html)

    Values and gradients are those of eager execution. ``if``, ``while``, ``for``, ``break``, ``continue``, ``return``,
    ``and``, ``or``, ``not``, ``a if c else b``, ``assert``, ``print``, ``len`` and casts over Tensors become operators
    of the Program: they are rewritten in the source of the function (its `code`) and of those that it calls. All else
    that Python does happens once, when the function is traced.

    Args:
        function: a function of Tensors, a Layer, or None for use as a decorator with arguments.
        input_spec: a list of InputSpec.
        build_strategy: accepted.
        backend: accepted.
        options: accepted (``full_graph``).

    Returns:
        A StaticFunction; for a Layer the Layer itself, whose forward is one now.

    Raises:
        TypeError: for what is no function.
    """

    def decorated(target: Any) -> Any:
        if isinstance(target, Layer):
            target.__dict__["forward"] = StaticFunction(target.forward, input_spec, target)
            return target
        if isinstance(target, StaticFunction):
            return target
        if not callable(target):
            raise TypeError(f"to_static needs a function or a Layer, but received {type(target).__name__}.")
        return StaticFunction(target, input_spec, getattr(target, "__self__", None))

    return decorated if function is None else decorated(function)


def not_to_static(func: Callable[..., Any] | None = None) -> Any:
    """Mark a function as not to be rewritten: its operators are traced, and Python decides its control flow.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/not_to_static_en.html)
    """

    def marked(function: Any) -> Any:
        setattr(function, STAYS, True)
        return function

    return marked if func is None else marked(func)


def ignore_module(modules: list[ModuleType]) -> None:
    """Leave the functions of these modules as they are written.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/ignore_module_en.html)
    """
    ignored.extend(
        os.path.dirname(file) if os.path.basename(file) == "__init__.py" else file
        for module in modules
        if (file := getattr(module, "__file__", None))
    )


__getattr__ = missing(__name__, __all__)
