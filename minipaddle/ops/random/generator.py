"""The random generator behind every random operator and initializer; ``paddle.seed`` restarts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_generator = np.random.default_rng()


def generator() -> np.random.Generator:
    """Return the generator in use now."""
    return _generator


def seed(value: int) -> np.random.Generator:
    """Restart the generator, so that what is drawn from here on is the same in every run.

    The numbers differ from real Paddle's (another generator); shapes, types and distributions do not.
    """
    global _generator
    _generator = np.random.default_rng(int(value))
    return _generator


def start(value: int) -> np.random.Generator:
    """Return a new generator started from `value`; 0: the one in use."""
    return np.random.default_rng(value) if value else _generator


@contextmanager
def using(other: np.random.Generator) -> Iterator[None]:
    """Draw from `other` within the ``with`` block."""
    global _generator
    before, _generator = _generator, other
    try:
        yield
    finally:
        _generator = before
