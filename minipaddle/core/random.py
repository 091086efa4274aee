"""The random generator behind every random operator and initializer; ``paddle.seed`` restarts it."""

from __future__ import annotations

import numpy as np

__all__ = ["generator", "seed"]

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
