"""The mel scale, on which equal steps sound equal; decibels; filters and cosines as matrices.

Below 1,000 Hz the scale is linear, 3 mel to 200 Hz; above, 27 mel multiply the frequency by 6.4 (Slaney's Auditory
Toolbox). HTK's has one formula: 2595 log10(1 + f / 700).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle import ops
from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.meta import Array
from minipaddle.ops.search.where import where

_HZ_OF_A_MEL = 200 / 3
_BEND = 1000.0
_MELS_BELOW = _BEND / _HZ_OF_A_MEL
_STEP = math.log(6.4) / 27


def hz_to_mel(freq: Any, htk: bool = False) -> Any:
    """Return a frequency, a number or a tensor, in mel.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/hz_to_mel_en.html)

    Args:
        freq: in Hz.
        htk: by HTK's formula.
    """
    number = isinstance(freq, int | float)
    if htk:
        return 2595.0 * (math.log10(1.0 + freq / 700.0) if number else ops.log10(1.0 + freq / 700.0))
    linear = freq / _HZ_OF_A_MEL
    if number:
        return linear if freq < _BEND else _MELS_BELOW + math.log(freq / _BEND) / _STEP
    return where(freq < _BEND, linear, _MELS_BELOW + ops.log(freq / _BEND + 1e-10) / _STEP)


def mel_to_hz(mel: Any, htk: bool = False) -> Any:
    """Return the frequency of a height in mel, a number or a tensor: what :func:`hz_to_mel` undoes.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/mel_to_hz_en.html)

    Args:
        mel: in mel.
        htk: by HTK's formula.
    """
    if htk:
        return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    if isinstance(mel, int | float):
        below = mel < _MELS_BELOW
        return _HZ_OF_A_MEL * mel if below else _BEND * math.exp(_STEP * (mel - _MELS_BELOW))
    return where(mel < _MELS_BELOW, _HZ_OF_A_MEL * mel, _BEND * ops.exp(_STEP * (mel - _MELS_BELOW)))


def mel_frequencies(
    n_mels: int = 64, f_min: float = 0.0, f_max: float = 11025.0, htk: bool = False, dtype: str = "float32"
) -> Any:
    """Return `n_mels` frequencies from `f_min` to `f_max` in equal steps of mel, [n_mels].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/mel_frequencies_en.html)
    """
    return to_tensor(_mel_frequencies(n_mels, f_min, f_max, htk), dtype)


def _mel_frequencies(n_mels: int, f_min: float, f_max: float, htk: bool) -> Array:
    mels = np.linspace(hz_to_mel(float(f_min), htk), hz_to_mel(float(f_max), htk), n_mels)
    return np.array([mel_to_hz(float(mel), htk) for mel in mels])


def fft_frequencies(sr: int, n_fft: int, dtype: str = "float32") -> Any:
    """Return the frequencies of a Fourier transform of `n_fft` samples, `sr` a second: [n_fft // 2 + 1].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/fft_frequencies_en.html)
    """
    return to_tensor(_fft_frequencies(sr, n_fft), dtype)


def _fft_frequencies(sr: int, n_fft: int) -> Array:
    return np.linspace(0.0, sr / 2, n_fft // 2 + 1)


def compute_fbank_matrix(
    sr: int,
    n_fft: int,
    n_mels: int = 64,
    f_min: float = 0.0,
    f_max: float | None = None,
    htk: bool = False,
    norm: str | float | None = "slaney",
    dtype: str = "float32",
) -> Any:
    """Return triangles over the frequencies of a Fourier transform, one for each mel: [n_mels, n_fft // 2 + 1].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/compute_fbank_matrix_en.html)

    Args:
        sr: samples a second.
        n_fft: samples of a transform.
        n_mels: how many triangles; each begins in the middle of the one before.
        f_min: where the first begins.
        f_max: where the last ends; None: half of `sr`.
        htk: by HTK's scale.
        norm: "slaney": a triangle has an area of 1; a number: the norm of a row by it is 1; else its height is 1.
        dtype: that of the result.
    """
    corners = _mel_frequencies(n_mels + 2, f_min, sr / 2 if f_max is None else f_max, htk)
    ramps = corners[:, None] - _fft_frequencies(sr, n_fft)
    widths = np.diff(corners)[:, None]
    weights = np.maximum(0.0, np.minimum(-ramps[:-2] / widths[:-1], ramps[2:] / widths[1:]))
    if norm == "slaney":
        weights *= (2.0 / (corners[2:] - corners[:-2]))[:, None]
    elif isinstance(norm, int | float):
        lengths = np.linalg.norm(weights, norm, axis=-1, keepdims=True)
        weights /= np.maximum(lengths, 1e-12)
    return to_tensor(weights, dtype)


def power_to_db(spect: Any, ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = 80.0) -> Any:
    """Return powers in decibels over `ref_value`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/power_to_db_en.html)

    Args:
        spect: powers, of any shape.
        ref_value: what is 0 dB.
        amin: what smaller powers are taken for.
        top_db: how far below the largest the smallest may be; None: any.

    Raises:
        Exception: **must be strictly positive**, for `amin` or `ref_value`; **must be non-negative**, for `top_db`.
    """
    for name, value in {"amin": amin, "ref_value": ref_value}.items():
        if value <= 0:
            raise Exception(f"{name} must be strictly positive")
    if top_db is not None and top_db < 0:
        raise Exception("top_db must be non-negative")
    log_spec = 10.0 * ops.log10(ops.clip(spect, min=amin)) - 10.0 * math.log10(max(amin, ref_value))
    return log_spec if top_db is None else ops.maximum(log_spec, log_spec.max() - top_db)


def create_dct(n_mfcc: int, n_mels: int, norm: str | None = "ortho", dtype: str = "float32") -> Any:
    """Return the matrix of the discrete cosine transform, of the second kind: [n_mels, n_mfcc].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/functional/create_dct_en.html)

    Args:
        n_mfcc: how many cosines.
        n_mels: at how many places.
        norm: "ortho" for columns of length 1; None: cosines times 2.
        dtype: that of the result.

    Raises:
        AssertionError: for another `norm`.
    """
    assert norm in ("ortho", None), f'norm should be "ortho" or None, but received {norm!r}'
    places, waves = np.arange(n_mels) + 0.5, np.arange(n_mfcc)
    cosines = np.cos(np.pi / n_mels * np.outer(places, waves))
    if norm is None:
        return to_tensor(2.0 * cosines, dtype)
    cosines[:, 0] /= math.sqrt(2.0)
    return to_tensor(cosines * math.sqrt(2.0 / n_mels), dtype)
