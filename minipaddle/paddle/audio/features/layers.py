"""Signals as pictures: how strong each frequency is at each time, as a layer, so that gradients reach the signal."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.ops.fft.frames import stft
from minipaddle.paddle.audio.functional.functional import compute_fbank_matrix, create_dct, power_to_db
from minipaddle.paddle.audio.functional.window import get_window
from minipaddle.paddle.nn import Layer


class Spectrogram(Layer):
    """Signals [batch, samples] as [batch, n_fft // 2 + 1, frames]: the sizes of their Fourier transforms, to a power.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/features/Spectrogram_en.html)

    Args:
        n_fft: samples of a frame.
        hop_length: samples from one frame to the next; None: a quarter of `n_fft`.
        win_length: samples of the window; None: `n_fft`.
        window: by :func:`paddle.audio.functional.get_window`.
        power: 1 for sizes, 2 for powers.
        center: whether the first sample is in the middle of the first frame.
        pad_mode: how the signal goes on at its ends.
        dtype: that of the window.

    Raises:
        AssertionError: **Power of spectrogram must be > 0**.
    """

    def __init__(
        self,
        n_fft: int = 512,
        hop_length: int | None = 512,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 1.0,
        center: bool = True,
        pad_mode: str = "reflect",
        dtype: str = "float32",
    ) -> None:
        super().__init__()
        assert power > 0, "Power of spectrogram must be > 0."
        self.power = power
        win_length = n_fft if win_length is None else win_length
        self.register_buffer("fft_window", get_window(window, win_length, fftbins=True, dtype=dtype))
        self._framing = (n_fft, hop_length, win_length)
        self._ends = (center, pad_mode)

    def forward(self, x: Any) -> Any:
        """Return the spectrogram of `x`, [batch, samples] or [samples]."""
        return ops.pow(ops.abs(stft(x, *self._framing, self.fft_window, *self._ends)), self.power)


class MelSpectrogram(Layer):
    """Signals [batch, samples] as [batch, n_mels, frames]: :class:`Spectrogram` on the scale of the ear.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/features/MelSpectrogram_en.html)

    Args:
        sr: samples a second.
        n_fft, hop_length, win_length, window, power, center, pad_mode: see :class:`Spectrogram`.
        n_mels, f_min, f_max, htk, norm: see :func:`paddle.audio.functional.compute_fbank_matrix`.
        dtype: that of the window and the matrix.
    """

    def __init__(
        self,
        sr: int = 22050,
        n_fft: int = 2048,
        hop_length: int | None = 512,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float | None = "slaney",
        dtype: str = "float32",
    ) -> None:
        super().__init__()
        self._spectrogram = Spectrogram(n_fft, hop_length, win_length, window, power, center, pad_mode, dtype)
        matrix = compute_fbank_matrix(sr, n_fft, n_mels, f_min, f_max, htk, norm, dtype)
        self.register_buffer("fbank_matrix", matrix)

    def forward(self, x: Any) -> Any:
        """Return the mel spectrogram of `x`, [batch, samples] or [samples]."""
        return ops.matmul(self.fbank_matrix, self._spectrogram(x))


class LogMelSpectrogram(Layer):
    """:class:`MelSpectrogram` in decibels.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/features/LogMelSpectrogram_en.html)

    Args:
        sr, n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm, dtype:
            see :class:`MelSpectrogram`.
        ref_value, amin, top_db: see :func:`paddle.audio.functional.power_to_db`.
    """

    def __init__(
        self,
        sr: int = 22050,
        n_fft: int = 512,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float | None = "slaney",
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float | None = None,
        dtype: str = "float32",
    ) -> None:
        super().__init__()
        framing = (n_fft, hop_length, win_length, window, power, center, pad_mode)
        self._melspectrogram = MelSpectrogram(sr, *framing, n_mels, f_min, f_max, htk, norm, dtype)
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def forward(self, x: Any) -> Any:
        """Return the mel spectrogram of `x` in decibels, [batch, samples] or [samples]."""
        return power_to_db(self._melspectrogram(x), self.ref_value, self.amin, self.top_db)


class MFCC(Layer):
    """Signals [batch, samples] as [batch, n_mfcc, frames]: cosine transforms of :class:`LogMelSpectrogram`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/features/MFCC_en.html)

    Args:
        sr: samples a second.
        n_mfcc: how many cosines, at most `n_mels`.
        n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm, ref_value,
            amin, top_db, dtype: see :class:`LogMelSpectrogram`.

    Raises:
        AssertionError: **n_mfcc cannot be larger than n_mels**.
    """

    def __init__(
        self,
        sr: int = 22050,
        n_mfcc: int = 40,
        n_fft: int = 512,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float | None = "slaney",
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float | None = None,
        dtype: str = "float32",
    ) -> None:
        super().__init__()
        assert n_mfcc <= n_mels, f"n_mfcc cannot be larger than n_mels: {n_mfcc} vs {n_mels}"
        framing = (sr, n_fft, hop_length, win_length, window, power, center, pad_mode)
        filters = (n_mels, f_min, f_max, htk, norm)
        self._log_melspectrogram = LogMelSpectrogram(*framing, *filters, ref_value, amin, top_db, dtype)
        self.register_buffer("dct_matrix", create_dct(n_mfcc, n_mels, dtype=dtype))

    def forward(self, x: Any) -> Any:
        """Return the coefficients of `x`, [batch, samples]."""
        log_mels = ops.transpose(self._log_melspectrogram(x), [0, 2, 1])
        return ops.transpose(ops.matmul(log_mels, self.dct_matrix), [0, 2, 1])
