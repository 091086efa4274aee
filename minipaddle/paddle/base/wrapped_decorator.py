"""paddle.base.wrapped_decorator: decorators whose functions keep their names and signatures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from minipaddle.engine.names.missing import missing

__all__ = ["signature_safe_contextmanager", "wrap_decorator"]


def wrap_decorator(decorator_func: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that does what `decorator_func` does, and keeps name, docstring and signature."""

    @functools.wraps(decorator_func)
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        return functools.wraps(function)(decorator_func(function))

    return decorate


signature_safe_contextmanager = wrap_decorator(contextmanager)

__getattr__ = missing(__name__, __all__)
