"""``paddle.audio``: windows, the mel scale, matrices, features with their gradients, WAV files."""

import os
import tempfile

import numpy as np
import paddle

from tests.support.parity.kit import Family, frozen, leaf, raises

cases = Family("audio")
F = paddle.audio.functional
features = paddle.audio.features

SOUND = np.sin(np.arange(400) ** 1.2 / 9).reshape(2, 200)
POWERS = np.array([[1.0, 0.3, 10.0], [1e-12, 2.0, 0.7]])
NAMES = [
    "hann",
    "hamming",
    "triang",
    "bohman",
    "blackman",
    "cosine",
    "tukey",
    "taylor",
    "bartlett",
    "nuttall",
]
TUPLES = [("gaussian", 7), ("general_gaussian", 1.5, 7), ("exponential", None, 3.0), ("kaiser", 5.0)]
WINDOWS = (*NAMES, *TUPLES, ("tukey", 0.3), ("tukey", 1.0), ("taylor", 5, 25, False))

for window in WINDOWS:
    for length in (1, 2, 7, 8):
        cases.add(
            f"window {window} of {length}",
            lambda w, n: [
                F.get_window(w, n),
                F.get_window(w, n, fftbins=False),
                str(F.get_window(w, n).dtype),
            ],
            window,
            length,
        )
for wrong in ("foo", 3, "gaussian", "kaiser", "exponential"):
    cases.add(f"window {wrong}", lambda w: raises(lambda: F.get_window(w, 5), "window"), wrong)
cases.add(
    "window of less than nothing", lambda: raises(lambda: F.get_window("hann", -1), "non-negative integer")
)
for name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
    cases.add(
        f"{name}_window",
        lambda n: [
            getattr(paddle, f"{n}_window")(6, **more)
            for more in ({}, {"periodic": False}, {"dtype": "float64"})
        ],
        name,
    )

for htk in (False, True):
    cases.add(
        f"hz to mel, htk {htk}", lambda h: [F.hz_to_mel(float(f), h) for f in (0, 100, 999, 1000, 3000)], htk
    )
    cases.add(
        f"mel to hz, htk {htk}", lambda h: [F.mel_to_hz(float(m), h) for m in (0, 3, 14.9, 15, 40)], htk
    )
    cases.add(f"hz of tensors, htk {htk}", lambda h: F.hz_to_mel(frozen([100.0, 3000.0]), h), htk)
    cases.add(f"mels of tensors, htk {htk}", lambda h: F.mel_to_hz(frozen([3.0, 40.0]), h), htk)
    cases.add(f"mel frequencies, htk {htk}", lambda h: F.mel_frequencies(8, 10.0, 4000.0, h, "float64"), htk)
    cases.add(
        f"filters, htk {htk}",
        lambda h: F.compute_fbank_matrix(16000, 64, 6, f_min=100.0, f_max=4000.0, htk=h, dtype="float64"),
        htk,
    )
for norm in ("slaney", 1.0, 2.0, "none"):
    cases.add(f"filters, norm {norm}", lambda n: F.compute_fbank_matrix(8000, 32, 4, norm=n), norm)
cases.add("frequencies", lambda: [F.fft_frequencies(16000, 16), F.fft_frequencies(16000, 15, "float64")])
cases.add("cosines", lambda: [F.create_dct(3, 5), F.create_dct(6, 5, None, "float64")])
cases.add("cosines of another norm", lambda: raises(lambda: F.create_dct(3, 5, "x")))


def with_gradient(layer, array):
    x = leaf(array)
    out = layer(x)
    ramp = np.arange(1, out.numpy().size + 1).reshape(out.shape) / 10
    return [out, paddle.grad([out], [x], [paddle.to_tensor(ramp)])[0]]


for options in ({}, {"top_db": None}, {"ref_value": 5.0, "amin": 1e-3, "top_db": 10.0}):
    cases.add(
        f"decibels {options}", lambda o: with_gradient(lambda x: F.power_to_db(x, **o), POWERS), options
    )
for name in ("amin", "ref_value", "top_db"):
    cases.add(
        f"decibels, wrong {name}", lambda n: raises(lambda: F.power_to_db(frozen(POWERS), **{n: -1}), n), name
    )

COMMON = {"n_fft": 64, "hop_length": 40, "dtype": "float64"}
MEL = {**COMMON, "sr": 8000, "n_mels": 8}
LAYERS = {
    "Spectrogram": [
        COMMON,
        {**COMMON, "power": 2.0, "window": "hamming", "win_length": 50},
        {**COMMON, "center": False},
    ],
    "MelSpectrogram": [MEL, {**MEL, "htk": True, "norm": 1.0}],
    "LogMelSpectrogram": [MEL, {**MEL, "top_db": 20.0}],
    "MFCC": [{**MEL, "n_mfcc": 5}],
}
for name, settings in LAYERS.items():
    for number, setting in enumerate(settings):
        cases.add(
            f"{name} {number}",
            lambda n, o: with_gradient(getattr(features, n)(**o), SOUND),
            name,
            setting,
            tolerance=1e-8,  # the logarithm of a band without sound
        )
cases.add("layers by name", lambda: [repr(features.MFCC()), sorted(features.MFCC().state_dict())])
cases.add("power 0", lambda: raises(lambda: features.Spectrogram(power=0.0), "Power of spectrogram"))
cases.add("too many cosines", lambda: raises(lambda: features.MFCC(n_mfcc=99), "n_mfcc cannot be larger"))


def through_a_file(array, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.wav")
        paddle.audio.save(path, paddle.to_tensor(array), 8000)
        about = paddle.audio.info(path)
        sound, rate = paddle.audio.load(path, **options)
        return [sound, rate, vars(about)]


HALF = (SOUND / 2).astype("float32")
cases.add("a file", lambda: through_a_file(HALF))
cases.add("a file of integers", lambda: through_a_file((SOUND * 1000).astype("int16"), normalize=False))
cases.add("some of a file", lambda: through_a_file(HALF, frame_offset=3, num_frames=4, channels_first=False))
cases.add(
    "a vector is no sound",
    lambda: raises(lambda: paddle.audio.save("x.wav", frozen([1.0]), 8), "Expected 2D"),
)
cases.add(
    "8 bits",
    lambda: raises(
        lambda: paddle.audio.save("x.wav", frozen(HALF), 8, bits_per_sample=8), "only support 16 bit"
    ),
)
cases.add("no WAV file", lambda: raises(lambda: paddle.audio.load(__file__), "only PCM16 WAV supported"))
cases.add(
    "backends",
    lambda: [paddle.audio.backends.get_current_backend(), paddle.audio.backends.list_available_backends()],
)
cases.add("another backend", lambda: raises(lambda: paddle.audio.backends.set_backend("x")))
