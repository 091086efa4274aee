"""Points: functions that a room calls and a higher room supplies, so that imports go down only.

The room that calls declares a point, and the room above fills it when it is loaded::

    append_py_layer = Point("append_py_layer")      # paddle/static/build/mode.py

    @append_py_layer.filled                         # paddle/static/custom/static_pylayer.py
    def append_py_layer_call(call): ...

The points of the tools are declared here (minipaddle/__init__.py fills them with functions that import on
call), and the points that static Programs fill.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Point:
    """A function that a higher package fills in: call the point to call it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._function: Callable[..., Any] | None = None

    def filled(self, function: F) -> F:
        """Make the point call `function`; return it, so that this is a decorator."""
        self._function = function
        return function

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function.

        Raises:
            RuntimeError: if no function was given.
        """
        if self._function is None:
            raise RuntimeError(f"Nothing that was imported gives {self.name!r}.")
        return self._function(*args, **options)


draw_program = Point("draw_program")
"""Return a picture of a Program: (program, options of ``minipaddle.tools.picture.graph``)."""
draw_page = Point("draw_page")
"""Return a picture as a complete page: (:class:`minipaddle.tools.picture.picture.Picture`)."""
gradients_of_variables = Point("gradients_of_variables")
"""Return gradients in a Program, None for missing ones: (outputs, inputs, gradients of the outputs)."""

written_out: ContextVar[dict[str, None] | None] = ContextVar("written_out", default=None)
"""Receives the names of the Variables that the user's code prints or formats; None: no tool listens."""
