"""``paddle.fft`` along one axis; :mod:`minipaddle.ops.fft.arguments` gives all of them the same arguments."""

from __future__ import annotations

from minipaddle.engine.core.value import Value
from minipaddle.ops.fft.arguments import Where, any_to_complex, c2r, of_one_axis, r2c


@of_one_axis
def fft(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform of any numbers along one axis."""
    return any_to_complex(x, where, norm, True)


@of_one_axis
def ifft(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse Fourier transform of any numbers along one axis."""
    return any_to_complex(x, where, norm, False)


@of_one_axis
def rfft(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform of real numbers along one axis, without the half that mirrors the other."""
    return r2c(x, where, norm, True, True)


@of_one_axis
def irfft(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse of :func:`rfft`: `n` real numbers, of the half of their transform."""
    return c2r(x, where, norm, False)


@of_one_axis
def hfft(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform, `n` real numbers, of numbers of which half mirrors the other half."""
    return c2r(x, where, norm, True)


@of_one_axis
def ihfft(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse of :func:`hfft`: the half of the numbers whose transform is `x`, which is real."""
    return r2c(x, where, norm, False, True)
