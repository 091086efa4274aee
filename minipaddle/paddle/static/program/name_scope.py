"""name_scope: the part of a network that an Operator belongs to; listings show it, names of Variables do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from minipaddle.engine.mode.eager import current


class _Here:
    path = "/"
    """Of the scope that Operators are appended in: ``/``, ``/encoder/``, ``/encoder/layer/``."""


here = _Here()
_entered: Counter[str] = Counter()


@contextmanager
def within_scope(path: str) -> Iterator[None]:
    """Operators that are appended inside belong to the scope with this path."""
    before, here.path = here.path, path
    try:
        yield
    finally:
        here.path = before


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Operators that are appended inside say ``op_namescope = /PREFIX/``; entered again, ``/PREFIX_1/``.

    In dynamic mode nothing happens.

    Raises:
        AssertionError: for an empty **prefix**.
    """
    if current.get().dynamic:
        yield
        return
    assert prefix, "namescope prefix can not be empty."
    path = f"{here.path}{prefix}"
    times = _entered[path]
    _entered[path] += 1
    with within_scope(f"{path}_{times}/" if times else f"{path}/"):
        yield


@contextmanager
def counted_anew() -> Iterator[None]:
    """Count from the first inside a ``with`` block how often each scope is entered; afterwards as before."""
    before = _entered.copy()
    _entered.clear()
    try:
        yield
    finally:
        _entered.clear()
        _entered.update(before)
