"""Signals in frames that overlap, and the Fourier transform of each frame: ``paddle.signal``."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.full import ones
from minipaddle.ops.fft.arguments import along_one, c2c, c2r, r2c
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.nn.pad import pad, pad_from_inside
from minipaddle.ops.reduction.broadcast import expand
from minipaddle.ops.reduction.minmax import min
from minipaddle.ops.views.reshape import squeeze, unsqueeze
from minipaddle.ops.views.transpose import swapaxes


def _frame_infer(x: Meta, *, frame_length: int, hop_length: int, axis: int = -1) -> Meta:
    size = x.shape[axis]
    if size != -1 and frame_length > size:
        raise failure(
            ValueError,
            "Attribute frame_length should be less equal than sequence length, but got "
            f"({frame_length}) > ({size}).",
        )
    count = -1 if size == -1 else 1 + (size - frame_length) // hop_length
    shape = (count, frame_length, *x.shape[1:]) if axis == 0 else (*x.shape[:-1], frame_length, count)
    return Meta(shape, x.dtype)


def _example(*shape: int, **attrs: Any) -> Any:
    return lambda rng: ([rng.uniform(0.2, 0.9, shape)], attrs)


@operator(
    "frame", "X -> Out", infer=_frame_infer, latex=r"\mathrm{frame}(x)",
    example=_example(2, 8, frame_length=3, hop_length=2), page="signal/Overview",
)  # fmt: skip
def frame_op(x: Array, frame_length: int, hop_length: int, axis: int = -1) -> Array:
    """Cut a signal into frames, each `hop_length` behind the one before."""
    if frame_length > x.shape[axis]:
        raise ValueError  # worded by the shape rule
    windows = np.lib.stride_tricks.sliding_window_view(
        x, frame_length, axis
    )  # the places of a frame come last
    if axis == 0:
        return np.moveaxis(windows[::hop_length], -1, 1).copy()
    return windows[..., ::hop_length, :].swapaxes(-1, -2).copy()


@frame_op.gradient("x")
def _(dy: Value, x_shape: Shape, hop_length: int, axis: int) -> Value:
    dx = overlap_add_op(dy, hop_length, axis)
    missing = [(0, 0)] * dx.ndim
    missing[axis] = (0, x_shape[axis] - dx.shape[axis])  # the end that no frame reaches
    return pad(dx, tuple(missing))


def _overlap_infer(x: Meta, *, hop_length: int, axis: int = -1) -> Meta:
    if x.ndim < 2:
        raise failure(
            ValueError, f"Input(X) of OverlapAddOp should be a tensor with at least 2 axes, not {x.ndim}."
        )
    count, length = x.shape[:2] if axis == 0 else x.shape[:-3:-1]
    size = -1 if -1 in (count, length) else (count - 1) * hop_length + length
    return Meta((size, *x.shape[2:]) if axis == 0 else (*x.shape[:-2], size), x.dtype)


@operator(
    "overlap_add", "X -> Out", infer=_overlap_infer, latex=r"\mathrm{overlap}(x)",
    example=_example(2, 3, 4, hop_length=2), page="signal/Overview",
)  # fmt: skip
def overlap_add_op(x: Array, hop_length: int, axis: int = -1) -> Array:
    """Put frames together again: where they overlap, they are added."""
    size = _overlap_infer(Meta(x.shape, x.dtype), hop_length=hop_length, axis=axis).shape[axis]
    frames = x if axis == 0 else np.moveaxis(x, (-1, -2), (0, 1))
    out = np.zeros((size, *frames.shape[2:]), x.dtype)
    for place, one in enumerate(frames):
        out[place * hop_length : place * hop_length + len(one)] += one
    return out if axis == 0 else np.moveaxis(out, 0, -1).copy()


@overlap_add_op.gradient("x")
def _(dy: Value, x_shape: Shape, hop_length: int, axis: int) -> Value:
    return frame_op(dy, x_shape[1 if axis == 0 else -2], hop_length, axis)


def _checked(axis: int, **lengths: Any) -> None:
    if axis not in (0, -1):
        raise ValueError(f"Unexpected axis: {axis}. It should be 0 or -1.")
    for name, length in lengths.items():
        if type(length) is not int or length <= 0:
            raise ValueError(f"Unexpected {name}: {length}. It should be an positive integer.")


def frame(x: Value, frame_length: int, hop_length: int, axis: int = -1, name: str | None = None) -> Value:
    """Return a signal in frames: [..., frame_length, frames], or [frames, frame_length, ...] for the first axis.

    Args:
        x: signals along `axis`.
        frame_length: how long a frame is.
        hop_length: how far each is behind the one before.
        axis: 0 or -1.
        name: ignored.

    Raises:
        ValueError: for another axis, a length below 1, or a frame longer than the signal.
    """
    _checked(axis, frame_length=frame_length, hop_length=hop_length)
    return frame_op(x, frame_length, hop_length, axis)


def overlap_add(x: Value, hop_length: int, axis: int = -1, name: str | None = None) -> Value:
    """Return the signal of which `x` are the frames, as :func:`frame` gives them; where they overlap, they are added.

    Raises:
        ValueError: for another axis than 0 and -1, or a `hop_length` below 1.
    """
    _checked(axis, hop_length=hop_length)
    return overlap_add_op(x, hop_length, axis)


def _windowed(window: Value | None, win_length: int, n_fft: int, dtype: Any) -> Value:
    """Return the window, ones by default, in the middle of a frame."""
    if window is None:
        window = ones([win_length], dtype)
    assert window.ndim == 1 and window.shape[0] == win_length, (
        f"expected a 1D window tensor of size equal to win_length({win_length}), but got window with shape "
        f"{window.shape}."
    )
    left = (n_fft - win_length) // 2
    return pad(window, ((left, n_fft - win_length - left),)) if win_length < n_fft else window


def stft(
    x: Value,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Value | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    name: str | None = None,
) -> Value:
    """Return the Fourier transforms of the frames of a signal: [..., frequencies, frames].

    Args:
        x: signals [length] or [batch, length].
        n_fft: how long a frame is.
        hop_length: how far each is behind the one before; None: a quarter.
        win_length: how long the window is; None: as a frame.
        window: what to multiply each frame by, [win_length]; None: ones.
        center: whether the first frame has the first sample in its middle: the signal is continued at both ends.
        pad_mode: how: "reflect" or "constant", with zeros.
        normalized: whether to divide by the root of `n_fft`.
        onesided: whether to leave the half out that is a mirror; None: if the numbers are real.
        name: ignored.

    Raises:
        AssertionError: naming the argument that does not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/signal/stft_en.html
    """
    rank = x.ndim
    assert rank in (1, 2), f"x should be a 1D or 2D real tensor, but got rank of x is {rank}"
    signal = unsqueeze(x, 0) if rank == 1 else x
    hop_length = n_fft // 4 if hop_length is None else hop_length
    assert hop_length > 0, f"hop_length should be > 0, but got {hop_length}."
    win_length = n_fft if win_length is None else win_length
    size = signal.shape[-1]
    assert n_fft > 0 and (n_fft <= size or size == -1), (
        f"n_fft should be in (0, seq_length({size})], but got {n_fft}."
    )
    assert 0 < win_length <= n_fft, f"win_length should be in (0, n_fft({n_fft})], but got {win_length}."
    window = _windowed(window, win_length, n_fft, x.dtype)
    if center:
        assert pad_mode in ("constant", "reflect"), (
            f'pad_mode should be "reflect" or "constant", but got "{pad_mode}".'
        )
        borders = ((0, 0), (n_fft // 2, n_fft // 2))
        signal = pad(signal, borders) if pad_mode == "constant" else pad_from_inside(signal, borders)
    frames = swapaxes(frame(signal, n_fft, hop_length), 1, 2) * window
    real = not is_complex(frames)
    onesided = real if onesided is None else onesided
    assert real or not onesided, "onesided should be False when input or window is a complex Tensor."
    where, norm = along_one(frames, None, -1), "ortho" if normalized else "backward"
    out = r2c(frames, where, norm, True, onesided) if real else c2c(frames, where, norm, True)
    out = swapaxes(out, 1, 2)
    return squeeze(out, 0) if rank == 1 else out


def istft(
    x: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool = True,
    length: int | None = None,
    return_complex: bool = False,
    name: str | None = None,
) -> Any:
    """Return the signal of which `x` are the transforms of frames, as :func:`stft` gives them.

    Args:
        x: complex numbers [frequencies, frames] or [batch, frequencies, frames].
        n_fft: how long a frame is.
        hop_length: how far each is behind the one before; None: a quarter.
        win_length: how long the window is; None: as a frame.
        window: what each frame was multiplied by, [win_length]; None: ones.
        center: whether the first frame has the first sample in its middle.
        normalized: whether `x` was divided by the root of `n_fft`.
        onesided: whether half of the frequencies is there.
        length: how many samples to return; None: as many as there are.
        return_complex: whether the signal has complex numbers.
        name: ignored.

    Raises:
        AssertionError: naming the argument that does not fit.
        ValueError: **NOLA**, if the windows leave a sample out.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/signal/istft_en.html
    """
    rank = x.ndim
    assert rank in (2, 3), f"x should be a 2D or 3D complex tensor, but got rank of x is {rank}"
    spectrum = unsqueeze(x, 0) if rank == 2 else x
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    assert 0 < hop_length <= win_length, (
        f"hop_length should be in (0, win_length({win_length})], but got {hop_length}."
    )
    assert 0 < win_length <= n_fft, f"win_length should be in (0, n_fft({n_fft})], but got {win_length}."
    wanted, found, frames = n_fft // 2 + 1 if onesided else n_fft, spectrum.shape[-2], spectrum.shape[-1]
    assert found == wanted, (
        f"fft_size should be equal to {wanted} when onesided is {onesided}, but got {found}."
    )
    dtype = "float32" if "complex64" in str(x.dtype) else "float64"
    window = _windowed(window, win_length, n_fft, dtype)
    spectrum = swapaxes(spectrum, 1, 2)
    where, norm = along_one(spectrum, None, -1), "ortho" if normalized else "backward"
    if return_complex:
        assert not onesided, (
            "onesided should be False when input(output of istft) or window is a complex Tensor."
        )
        out = c2c(spectrum, where, norm, False)
    else:
        assert not is_complex(window), (
            "Data type of window should not be complex when return_complex is False."
        )
        out = c2r(spectrum, along_one(spectrum, n_fft, -1), norm, False)
    out = overlap_add(swapaxes(out * window, 1, 2), hop_length)
    weight = overlap_add(expand(unsqueeze(window * window, 1), [n_fft, frames]), hop_length)
    start = n_fft // 2 if center else 0
    stop = start + length if length is not None else out.shape[-1] - start
    out, weight = out[:, start:stop], weight[start:stop]
    if current.get().dynamic and bool(min(abs(weight)) < 1e-11):
        raise ValueError(
            "Abort istft because Nonzero Overlap Add (NOLA) condition failed: the windows leave a sample out."
        )
    out = out / weight
    return squeeze(out, 0) if rank == 2 else out
