"""name_scope: which part of a network an Operator belongs to. Listings say it; names of Variables do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from minipaddle.engine.mode.eager import current

_here = "/"
_entered: Counter[str] = Counter()


def current_scope() -> str:
    """Return the path of the scope that Operators are appended in: ``/``, ``/encoder/``, ``/encoder/layer/``."""
    return _here


@contextmanager
def within_scope(path: str) -> Iterator[None]:
    """Operators that are appended inside belong to the scope with this path."""
    global _here
    before, _here = _here, path
    try:
        yield
    finally:
        _here = before


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
    path = f"{_here}{prefix}"
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
