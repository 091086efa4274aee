"""``paddle.fft`` along several axes, and along two; see :mod:`minipaddle.ops.fft.one_axis`."""

from __future__ import annotations

from minipaddle.engine.core.value import Value
from minipaddle.ops.fft.arguments import Where, any_to_complex, c2r, of_several_axes, of_two_axes, r2c


@of_several_axes
def fftn(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform of any numbers along several axes."""
    return any_to_complex(x, where, norm, True)


@of_several_axes
def ifftn(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse Fourier transform of any numbers along several axes."""
    return any_to_complex(x, where, norm, False)


@of_several_axes
def rfftn(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform of real numbers along several axes, without the half that mirrors the other."""
    return r2c(x, where, norm, True, True)


@of_several_axes
def irfftn(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse of :func:`rfftn`: real numbers, in the sizes `s`, of the half of their transform."""
    return c2r(x, where, norm, False)


@of_several_axes
def hfftn(x: Value, where: Where, norm: str) -> Value:
    """Return the Fourier transform, real and in the sizes `s`, of numbers of which half mirrors the other half."""
    return c2r(x, where, norm, True)


@of_several_axes
def ihfftn(x: Value, where: Where, norm: str) -> Value:
    """Return the inverse of :func:`hfftn`: the half of the numbers whose transform is `x`, which is real."""
    return r2c(x, where, norm, False, True)


fft2, ifft2 = of_two_axes(fftn), of_two_axes(ifftn)
rfft2, irfft2 = of_two_axes(rfftn), of_two_axes(irfftn)
hfft2, ihfft2 = of_two_axes(hfftn), of_two_axes(ihfftn)
