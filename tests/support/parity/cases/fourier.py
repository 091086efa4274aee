"""``paddle.fft`` and ``paddle.signal``: values, gradients, dtypes and errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("fourier")
T = paddle.fft

REAL = data(3, 4)
ODD = data(2, 5)
COMPLEX = data(3, 4, seed=2) + 1j * data(3, 4, seed=3)


def parts(tensor):
    """Real and imaginary parts, for the record knows real numbers only."""
    array = tensor.numpy()
    return [array.real, array.imag, str(array.dtype)] if array.dtype.kind == "c" else array


def transformed(fn, array):
    """What `fn` gives, and the gradient under an uneven seed."""
    x = leaf(array)
    out = fn(x)
    ramp = np.arange(1, out.numpy().size + 1).reshape(out.shape) / 10
    seed = ramp * (1 - 0.5j) if out.numpy().dtype.kind == "c" else ramp
    grad = paddle.grad([out], [x], [paddle.to_tensor(seed.astype(out.numpy().dtype))])[0]
    return [parts(out), parts(grad)]


ANY = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
FROM_REAL = ("rfft", "ihfft", "rfft2", "ihfft2", "rfftn", "ihfftn")
TO_REAL = ("irfft", "hfft", "irfft2", "hfft2", "irfftn", "hfftn")
for name in (*ANY, *FROM_REAL):
    cases.add(f"{name} of real numbers", lambda n: transformed(getattr(T, n), REAL), name)
    cases.add(f"{name} of an odd size", lambda n: transformed(getattr(T, n), ODD), name)
for name in (*ANY, *TO_REAL):
    cases.add(f"{name} of complex numbers", lambda n: transformed(getattr(T, n), COMPLEX), name)
    cases.add(f"{name} in single", lambda n: parts(getattr(T, n)(frozen(COMPLEX.astype("complex64")))), name)


def signs(name, array):
    """The numbers of a transform whose numbers are whole, and which of its parts are below zero or -0."""
    out = getattr(T, name)(frozen(array)).numpy()
    return [out.real, out.imag, np.signbit(out.real), np.signbit(out.imag)]


WHOLE = np.mgrid[:4, :4, :4][1]
for name in (*ANY, *FROM_REAL):
    for text, array in {
        "int64": WHOLE,
        "float32": WHOLE.astype("float32"),
        "size": WHOLE[:2, :2, :1],
    }.items():
        cases.add(f"{name} signs of zeros {text}", signs, name, array)


def in_norm(name, norm, array):
    return transformed(lambda x: getattr(T, name)(x, norm=norm), array)


for norm in ("ortho", "forward"):
    for name in (*ANY[:4], *TO_REAL[:4]):
        cases.add(f"{name} {norm}", in_norm, name, norm, COMPLEX)
    for name in FROM_REAL[:4]:
        cases.add(f"{name} {norm}", in_norm, name, norm, REAL)
for n in (3, 4, 6, 7):
    cases.add(f"fft n={n}", lambda n: transformed(lambda x: T.fft(x, n=n), COMPLEX), n)
    cases.add(f"rfft n={n}", lambda n: transformed(lambda x: T.rfft(x, n=n), REAL), n)
    cases.add(f"irfft n={n}", lambda n: transformed(lambda x: T.irfft(x, n=n), COMPLEX), n)
    cases.add(f"hfft n={n} along 0", lambda n: transformed(lambda x: T.hfft(x, n=n, axis=0), COMPLEX), n)
cases.add("fftn of sizes", lambda: transformed(lambda x: T.fftn(x, s=(2, 6), axes=(1, 0)), COMPLEX))
cases.add("rfftn of sizes", lambda: transformed(lambda x: T.rfftn(x, s=(2, 6), axes=(1, 0)), REAL))
cases.add("irfftn of sizes", lambda: transformed(lambda x: T.irfftn(x, s=(4, 5)), COMPLEX))
cases.add("fftn of one size", lambda: transformed(lambda x: T.fftn(x, s=(3,)), COMPLEX))
cases.add(
    "integers", lambda: [parts(getattr(T, n)(frozen(np.arange(6).reshape(2, 3)))) for n in ("fft", "rfft")]
)


@cases
def frequencies():
    x = frozen(np.arange(12.0).reshape(3, 4))
    moved = [T.fftshift(x), T.ifftshift(x), T.fftshift(x, axes=[0, 1])]
    return [T.fftfreq(5), T.fftfreq(4, 0.5), T.rfftfreq(5), T.rfftfreq(4, 0.5), *moved]


for axis in (0, -1):
    cases.gradients(f"frame {axis}", lambda x, a=axis: paddle.signal.frame(x, 3, 2, axis=a), data(6, 6))
    cases.gradients(
        f"overlap_add {axis}", lambda x, a=axis: paddle.signal.overlap_add(x, 2, axis=a), data(3, 4)
    )
cases.gradients("frame of a signal", lambda x: paddle.signal.frame(x, 3, 1), data(7), single=True)
cases.gradients(
    "overlap_add of frames", lambda x: paddle.signal.overlap_add(x, 1), data(2, 3, 4), single=True
)

SIGNAL = data(2, 16)
WINDOW = np.hanning(8) + 0.1
STFT = {
    "plain": {},
    "hop": {"hop_length": 3},
    "window": {"window": WINDOW},
    "short window": {"window": WINDOW[:6], "win_length": 6},
    "zeros": {"pad_mode": "constant"},
    "not centered": {"center": False},
    "normalized": {"normalized": True},
    "both sides": {"onesided": False},
}
for name, options in STFT.items():

    def forth_and_back(options):
        given = {k: frozen(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
        spectrum = transformed(lambda x: paddle.signal.stft(x, 8, **given), SIGNAL)
        given.pop("pad_mode", None)
        back = transformed(
            lambda x: paddle.signal.istft(x, 8, **given),
            paddle.signal.stft(frozen(SIGNAL), 8, **given).numpy(),
        )
        return [spectrum, back]

    cases.add(f"stft {name}", forth_and_back, options)


@cases
def signals_of_one_axis():
    spectrum = paddle.signal.stft(frozen(SIGNAL[0]), 8)
    pair = paddle.signal.stft(frozen(SIGNAL + 0.5j), 8, onesided=False)
    back = paddle.signal.istft(pair, 8, onesided=False, return_complex=True)
    return [parts(spectrum), paddle.signal.istft(spectrum, 8, length=14), parts(back)]


@cases
def methods():
    x = frozen(SIGNAL)
    return [parts(x.stft(8)), x.stft(8).istft(8)]


@cases
def refused():
    x, z = frozen(REAL), frozen(COMPLEX)
    stft, istft = paddle.signal.stft, paddle.signal.istft
    return {
        "norm": raises(lambda: T.fft(x, norm="x"), "Unexpected norm: x"),
        "n": raises(lambda: T.fft(x, n=0), "should be positive"),
        "n is no int": raises(lambda: T.fft(x, n=1.5), "should be an integer"),
        "axis": raises(lambda: T.fft(x, axis=2), "should be in range [-2, 2)"),
        "axis is no int": raises(lambda: T.rfft(x, axis=0.5), "should be an integer"),
        "axes": raises(lambda: T.fftn(x, axes=(0, 3)), "contains invalid value (3)"),
        "too many axes": raises(lambda: T.fftn(x, axes=(0, 1, 1)), "not be larger than the rank"),
        "sizes": raises(lambda: T.fftn(x, s=(1, 2, 3)), "not be larger than the rank"),
        "a size": raises(lambda: T.fftn(x, s=(0, 2)), "contains invalid value (0)"),
        "sizes and axes": raises(lambda: T.fftn(x, s=(2,), axes=(0, 1)), "does not match"),
        "rank": raises(lambda: T.fft2(frozen(REAL[0])), "should >= 2"),
        "two": raises(lambda: T.fft2(x, axes=(0,)), "a sequence of 2 integers"),
        "frequencies": raises(lambda: T.fftfreq(0), "should not be 0"),
        "frame": raises(lambda: paddle.signal.frame(x, 9, 1), "less equal than sequence length"),
        "frame axis": raises(lambda: paddle.signal.frame(x, 2, 1, axis=1), "should be 0 or -1"),
        "hop": raises(lambda: paddle.signal.overlap_add(x, 0), "Unexpected hop_length: 0"),
        "stft rank": raises(lambda: stft(frozen(data(1, 2, 3)), 2), "1D or 2D"),
        "stft length": raises(lambda: stft(x, 9), "n_fft should be in"),
        "stft window": raises(lambda: stft(x, 4, window=frozen(np.ones(3))), "expected a 1D window tensor"),
        "stft sides": raises(lambda: stft(z, 4, onesided=True), "onesided should be False"),
        "istft rank": raises(lambda: istft(frozen(COMPLEX[0]), 4), "2D or 3D"),
        "istft frequencies": raises(lambda: istft(z, 9), "fft_size should be equal"),
        "istft window": raises(
            lambda: istft(stft(frozen(SIGNAL), 8), 8, window=frozen(np.zeros(8))), "Nonzero Overlap Add"
        ),
    }
