"""The random generator behind every random operator and initializer; ``paddle.seed`` restarts it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

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


def switch(other: np.random.Generator) -> np.random.Generator:
    """Draw from `other` from here on; return the generator in use until now."""
    global _generator
    before, _generator = _generator, other
    return before


def using(other: np.random.Generator, function: Callable[..., T], *args: Any) -> T:
    """Return what ``function(*args)`` returns, drawing from `other`; no Ctrl-C leaves that in use."""
    before = _generator
    try:
        try:
            switch(other)
            return function(*args)
        finally:
            switch(before)
    except BaseException:
        switch(before)
        raise
