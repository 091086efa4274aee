"""A context variable that has a value within a ``with`` block."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

V = TypeVar("V")


@contextmanager
def setting(variable: ContextVar[V], value: V) -> Iterator[None]:
    """A ``with`` block in which a context variable has this value."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
