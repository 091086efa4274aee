"""Sounds in WAV files of 16 bits, by Python's own ``wave``."""

from __future__ import annotations

import contextlib
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.paddle.framework.whole_file import whole_file

Source = str | Path | BinaryIO


@dataclass
class AudioInfo:
    """What a file says of itself."""

    sample_rate: int
    """Samples a second."""
    num_samples: int
    """Of each channel."""
    num_channels: int
    bits_per_sample: int
    encoding: str


def info(filepath: Source) -> AudioInfo:
    """Return what a WAV file says of itself.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/info_en.html)

    Raises:
        NotImplementedError: **only PCM16 WAV supported**: it is another kind of file.
    """
    with _opened(filepath) as file:
        rate, samples, channels, bits = _read(file)
        return AudioInfo(rate, samples, channels, bits, "PCM_S")


def load(
    filepath: Source,
    frame_offset: int = 0,
    num_frames: int = -1,
    normalize: bool = True,
    channels_first: bool = True,
) -> tuple[Any, int]:
    """Return the sound of a WAV file of 16 bits, a float32 tensor [channels, samples], and its samples a second.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/load_en.html)

    Args:
        filepath: a path or an open file.
        frame_offset: the first sample to return.
        num_frames: how many; -1 for all.
        normalize: between -1 and 1; else numbers of 16 bits.
        channels_first: False for [samples, channels].

    Raises:
        NotImplementedError: **only PCM16 WAV supported**: it is another kind of file.
    """
    with _opened(filepath) as file:
        rate, samples, channels, bits = _read(file)
        if bits != 16:
            raise NotImplementedError(
                f"only PCM16 WAV supported, but the samples of this file have {bits} bits"
            )
        numbers = np.frombuffer(file.readframes(samples), "<i2").reshape(-1, channels).astype("float32")
    stop = None if num_frames == -1 else frame_offset + num_frames
    sound = (numbers / 2**15 if normalize else numbers)[frame_offset:stop]
    return to_tensor(sound.T if channels_first else sound), rate


def save(
    filepath: str | Path,
    src: Any,
    sample_rate: int,
    channels_first: bool = True,
    encoding: str | None = None,
    bits_per_sample: int | None = 16,
) -> None:
    """Write a sound into a WAV file of 16 bits.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/save_en.html)

    Args:
        filepath: the file, written anew.
        src: [channels, samples]: between -1 and 1, what is louder is cut off; integers are written as they are.
        sample_rate: samples a second.
        channels_first: False for [samples, channels].
        encoding: accepted.
        bits_per_sample: 16.

    Raises:
        AssertionError: **Expected 2D tensor**.
        ValueError: **only support 16 bit**.
    """
    assert src.ndim == 2, "Expected 2D tensor"
    if bits_per_sample not in (None, 16):
        raise ValueError("Invalid bits_per_sample, only support 16 bit")
    numbers = np.asarray(src)
    if numbers.dtype.kind == "f":
        numbers = np.clip(numbers * 2**15, -(2**15), 2**15 - 1)
    samples = numbers.T if channels_first else numbers
    with whole_file(filepath) as whole, wave.Wave_write(whole) as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(samples.astype("<i2").tobytes())


@contextlib.contextmanager
def _opened(filepath: Source) -> Iterator[wave.Wave_read]:
    try:
        with wave.open(str(filepath) if isinstance(filepath, Path) else filepath, "rb") as file:
            yield file
    except (wave.Error, EOFError) as error:
        raise NotImplementedError(f"only PCM16 WAV supported: {error}") from None


def _read(file: wave.Wave_read) -> tuple[int, int, int, int]:
    """Return samples a second, samples, channels, and bits of a sample."""
    return file.getframerate(), file.getnframes(), file.getnchannels(), 8 * file.getsampwidth()
