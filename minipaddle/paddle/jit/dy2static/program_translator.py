"""ProgramTranslator: the one object that Paddle's older scripts switch to_static with, and ask for what it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from minipaddle.paddle.jit.dy2static.calls import call
from minipaddle.paddle.jit.static_function import ConcreteProgram, StaticFunction, Switch, enable_to_static

__all__ = ["ConcreteProgram", "ProgramTranslator", "StaticFunction", "convert_to_static", "enable_to_static"]

convert_to_static = call


class ProgramTranslator:
    """Switches to_static, and shows what it makes of a function; there is one of it.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.4/api/paddle/jit/ProgramTranslator_en.html)
    """

    _one: ClassVar[ProgramTranslator | None] = None

    def __new__(cls) -> ProgramTranslator:
        """Return the one object."""
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """Return the one object."""
        return cls()

    @property
    def enable_to_static(self) -> bool:
        """Whether to_static does anything."""
        return Switch.on

    def enable(self, enable_to_static: bool) -> None:
        """Switch to_static on or off.

        Raises:
            TypeError: if the argument is no bool.
        """
        if not isinstance(enable_to_static, bool):
            raise TypeError(
                "The type of 'enable_to_static' in ProgramTranslator.enable must be bool, but received "
                f"{type(enable_to_static)}."
            )
        Switch.on = enable_to_static

    def get_output(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Return what a function computes as a Program."""
        return self._static(dygraph_func)(*args, **kwargs)

    def get_func(self, dygraph_func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function with its control flow rewritten."""
        found: Callable[..., Any] = call(getattr(dygraph_func, "dygraph_function", dygraph_func))
        return found

    def get_program(self, dygraph_func: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return main program, startup program, inputs and outputs of a function for these arguments."""
        made = self._static(dygraph_func).get_concrete_program(*args, **kwargs)
        return made.main_program, made.startup_program, made.inputs, made.outputs

    def get_code(self, dygraph_func: Callable[..., Any]) -> str:
        """Return the source of a function with its control flow rewritten."""
        return self._static(dygraph_func).code

    def _static(self, function: Callable[..., Any]) -> StaticFunction:
        return function if isinstance(function, StaticFunction) else StaticFunction(function)
