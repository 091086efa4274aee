"""paddle.audio.functional: windows, the mel scale, decibels, and the matrices of the features."""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "functional": """compute_fbank_matrix create_dct fft_frequencies hz_to_mel mel_frequencies mel_to_hz
        power_to_db""",
        "window": "get_window",
    },
)
