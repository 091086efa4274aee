"""paddle.jit: functions that were written eagerly, run and saved as Programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.jit.io import TranslatedLayer, load, save
from minipaddle.jit.static_function import ConcreteProgram, StaticFunction, Switch
from minipaddle.names.missing import missing
from minipaddle.nn.layer.layers import Layer

__all__ = [
    "ConcreteProgram",
    "StaticFunction",
    "TranslatedLayer",
    "enable_to_static",
    "load",
    "not_to_static",
    "save",
    "to_static",
]


def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,
    backend: str | None = None,
    **options: Any,
) -> Any:
    """Run a function or Layer that is written eagerly as a Program: traced once for each kind of arguments.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/to_static_en.html)

    Values and gradients are those of eager execution. What the function does besides operators (printing, choosing by
    numbers) happens when it is traced: a Python ``if`` or ``while`` on a value raises, naming ``static.nn.cond``.

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
    """Mark a function as not to be changed: it is traced as it is, like all others."""
    return (lambda function: function) if func is None else func


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Switch ``to_static`` off (False): the functions then run eagerly; or on again.

    Raises:
        AssertionError: if the argument is no bool.
    """
    assert isinstance(enable_to_static_bool, bool), (
        f"In paddle.jit.enable_to_static, enable should be bool, but received {type(enable_to_static_bool)}."
    )
    Switch.on = enable_to_static_bool


__getattr__ = missing(__name__, __all__)
