"""paddle.audio.features: layers that make spectrograms of signals."""

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.audio.features.layers import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram

__all__ = ["MFCC", "LogMelSpectrogram", "MelSpectrogram", "Spectrogram"]

guard_all(globals())
