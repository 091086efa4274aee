"""paddle.audio.functional: windows, the mel scale, decibels, and the matrices of the features."""

from minipaddle.audio.functional.functional import (
    compute_fbank_matrix,
    create_dct,
    fft_frequencies,
    hz_to_mel,
    mel_frequencies,
    mel_to_hz,
    power_to_db,
)
from minipaddle.audio.functional.window import get_window
from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing

__all__ = [
    "compute_fbank_matrix",
    "create_dct",
    "fft_frequencies",
    "get_window",
    "hz_to_mel",
    "mel_frequencies",
    "mel_to_hz",
    "power_to_db",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
