"""Frequencies: which one stands where in a transform."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.dtype import as_numpy, default_float
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import known_size
from minipaddle.ops.creation.range import arange
from minipaddle.ops.manipulation.flip import roll


def _steps(first: int, last: int, n: int, d: float, dtype: Any) -> Value:
    if d * n == 0:
        raise ValueError("d or n should not be 0.")
    chosen = default_float() if dtype is None else as_numpy(dtype)
    return roll(arange(first, last, dtype=chosen), first) * (1.0 / (n * d))


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Value:
    """Return which frequency stands at each place of a transform of `n` samples, `d` apart: first those from 0 up.

    Raises:
        ValueError: if `n` or `d` is 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/fftfreq_en.html
    """
    return _steps(-(n // 2), (n + 1) // 2, n, d, dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Value:
    """Return which frequency stands at each place of :func:`rfft` of `n` samples, `d` apart.

    Raises:
        ValueError: if `n` or `d` is 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/rfftfreq_en.html
    """
    return _steps(0, n // 2 + 1, n, d, dtype)


def _moved(x: Value, axes: Any, more: int) -> Value:
    """Return `x` with half the places of each axis moved to its other end."""
    places = list(range(x.ndim)) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    return roll(x, [(known_size(x, axis) + more) // 2 for axis in places], places)


def fftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Return `x` with the frequency 0 in the middle of `axes` (an axis, several, or None for all).

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/fftshift_en.html
    """
    return _moved(x, axes, 0)


def ifftshift(x: Value, axes: Any = None, name: str | None = None) -> Value:
    """Return `x` with the frequency 0 at the beginning of `axes` again: the inverse of :func:`fftshift`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ifftshift_en.html
    """
    return _moved(x, axes, 1)
