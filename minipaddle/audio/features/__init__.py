"""paddle.audio.features: layers that make spectrograms of signals."""

from minipaddle.audio.features.layers import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from minipaddle.core.errors import guard_all

__all__ = ["MFCC", "LogMelSpectrogram", "MelSpectrogram", "Spectrogram"]

guard_all(globals())
