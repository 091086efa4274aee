"""Grad modes: whether eager calls are recorded."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Generator
from contextlib import ContextDecorator
from typing import Any

from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.mode.mode import Mode


class _Switch(within, ContextDecorator):
    """Recording on or off for a ``with`` block or a decorated function."""

    flag: bool

    def __init__(self) -> None:
        super().__init__()

    def enter(self) -> Mode:
        """Return the mode of now, switched."""
        return current.get().with_grad(self.flag)

    def __call__(self, function: Any) -> Any:
        """Return the decorated function, as ``@paddle.no_grad()`` does. A generator is switched only while it runs."""
        kind = type(self)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
                inner, answer = function(*args, **kwargs), None
                while True:
                    with kind():
                        try:
                            item = inner.send(answer)
                        except StopIteration as stop:
                            return stop.value
                    answer = yield item

            return generator

        return super().__call__(function)

    def _recreate_cm(self) -> _Switch:
        return type(self)()  # each thread restores its own mode


class no_grad(_Switch):
    """Records nothing: ``with paddle.no_grad():`` or ``@paddle.no_grad()``."""

    flag = False


class enable_grad(_Switch):
    """Records, even within ``no_grad``."""

    flag = True


class set_grad_enabled:
    """Switches recording from now on; as a ``with`` block, until its end."""

    def __init__(self, mode: bool) -> None:
        self._before = current.get().grad
        current.set(current.get().with_grad(bool(mode)))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: object) -> None:
        current.set(current.get().with_grad(self._before))


def is_grad_enabled() -> bool:
    """Return whether calls are recorded now: False while a Program is built, as in Paddle 2.6.2."""
    mode = current.get()
    return mode.dynamic and mode.grad
