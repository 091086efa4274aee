"""``paddle.fft`` along several axes, and along two; see :mod:`minipaddle.ops.fft.one_axis`."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.fft.arguments import along_several, any_to_complex, c2r, check_two, r2c


def fftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform along several axes.

    Args:
        x: tensor of any numbers.
        s: sizes to cut `x` to, or to fill it up to with zeros; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/fftn_en.html
    """
    return any_to_complex(x, along_several(x, s, axes), norm, True, out)


def ifftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse Fourier transform along several axes.

    Args:
        x: tensor of any numbers.
        s: sizes to cut `x` to, or to fill it up to with zeros; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ifftn_en.html
    """
    return any_to_complex(x, along_several(x, s, axes), norm, False, out)


def rfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform of real numbers along several axes, without the half that mirrors the other.

    Args:
        x: tensor of real numbers.
        s: sizes to cut `x` to, or to fill it up to with zeros; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/rfftn_en.html
    """
    return r2c(x, along_several(x, s, axes), norm, True, True, out)


def irfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse of :func:`rfftn`: real numbers, of the half of their transform.

    Args:
        x: tensor.
        s: sizes to cut `x` to, or to fill it up to with zeros, of the result; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/irfftn_en.html
    """
    return c2r(x, along_several(x, s, axes), norm, False, out)


def hfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the Fourier transform, which is real, of numbers of which half mirrors the other half.

    Args:
        x: tensor.
        s: sizes to cut `x` to, or to fill it up to with zeros, of the result; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/hfftn_en.html
    """
    return c2r(x, along_several(x, s, axes), norm, True, out)


def ihfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return the inverse of :func:`hfftn`: the half of the numbers whose transform is `x`.

    Args:
        x: tensor of real numbers.
        s: sizes to cut `x` to, or to fill it up to with zeros; None: as they are.
        axes: where; None: the last ones, as many as `s` has, or all.
        norm: "backward", "forward" or "ortho": which direction is divided by n.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: for another `norm`, or sizes and axes that do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ihfftn_en.html
    """
    return r2c(x, along_several(x, s, axes), norm, False, True, out)


def fft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`fftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/fft2_en.html
    """
    check_two(x, s, axes)
    return fftn(x, s, axes, norm, name, out=out)


def ifft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`ifftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ifft2_en.html
    """
    check_two(x, s, axes)
    return ifftn(x, s, axes, norm, name, out=out)


def rfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`rfftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/rfft2_en.html
    """
    check_two(x, s, axes)
    return rfftn(x, s, axes, norm, name, out=out)


def irfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`irfftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/irfft2_en.html
    """
    check_two(x, s, axes)
    return irfftn(x, s, axes, norm, name, out=out)


def hfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`hfftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/hfft2_en.html
    """
    check_two(x, s, axes)
    return hfftn(x, s, axes, norm, name, out=out)


def ihfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: str = "backward",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Return :func:`ihfftn` along two axes.

    Raises:
        ValueError: for another `norm`, or if there are not two axes, or not two sizes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/ihfft2_en.html
    """
    check_two(x, s, axes)
    return ihfftn(x, s, axes, norm, name, out=out)
