"""``paddle.fft`` along one axis.

``n`` cuts the input, or fills it up with zeros; ``norm`` says which direction is divided by n: "backward" (the way
back), "forward", or "ortho" (each by the root of n).
"""

from __future__ import annotations

from typing import Any

from minipaddle.ops.fft.arguments import along_one, any_to_complex, c2r, r2c


def fft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform along one axis.

    Args:
        x: tensor of any numbers.
        n: size to cut `x` to, or to fill it up to with zeros; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/fft_en.html
    """
    return any_to_complex(x, along_one(x, n, axis), norm, True, out)


def ifft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse Fourier transform along one axis.

    Args:
        x: tensor of any numbers.
        n: size to cut `x` to, or to fill it up to with zeros; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ifft_en.html
    """
    return any_to_complex(x, along_one(x, n, axis), norm, False, out)


def rfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform of real numbers along one axis, without the half that mirrors the other.

    Args:
        x: tensor of real numbers.
        n: size to cut `x` to, or to fill it up to with zeros; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/rfft_en.html
    """
    return r2c(x, along_one(x, n, axis), norm, True, True, out)


def irfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse of :func:`rfft`: real numbers, of the half of their transform.

    Args:
        x: tensor.
        n: size to cut `x` to, or to fill it up to with zeros, of the result; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/irfft_en.html
    """
    return c2r(x, along_one(x, n, axis), norm, False, out)


def hfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform, which is real, of numbers of which half mirrors the other half.

    Args:
        x: tensor.
        n: size to cut `x` to, or to fill it up to with zeros, of the result; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/hfft_en.html
    """
    return c2r(x, along_one(x, n, axis), norm, True, out)


def ihfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse of :func:`hfft`: the half of the numbers whose transform is `x`.

    Args:
        x: tensor of real numbers.
        n: size to cut `x` to, or to fill it up to with zeros; None: as it is.
        axis: where.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, `n` or `axis`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ihfft_en.html
    """
    return r2c(x, along_one(x, n, axis), norm, False, True, out)
