"""``paddle.fft``: values, gradients, dtypes and errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf

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
FROM_REAL = ("rfft", "rfft2", "rfftn")
TO_REAL = ("irfft", "irfft2", "irfftn")
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
    for name in (*ANY[:4], *TO_REAL[:2]):
        cases.add(f"{name} {norm}", in_norm, name, norm, COMPLEX)
    for name in FROM_REAL[:2]:
        cases.add(f"{name} {norm}", in_norm, name, norm, REAL)
for n in (3, 4, 6, 7):
    cases.add(f"fft n={n}", lambda n: transformed(lambda x: T.fft(x, n=n), COMPLEX), n)
    cases.add(f"rfft n={n}", lambda n: transformed(lambda x: T.rfft(x, n=n), REAL), n)
    cases.add(f"irfft n={n}", lambda n: transformed(lambda x: T.irfft(x, n=n), COMPLEX), n)
cases.add("fftn of sizes", lambda: transformed(lambda x: T.fftn(x, s=(2, 6), axes=(1, 0)), COMPLEX))
cases.add("rfftn of sizes", lambda: transformed(lambda x: T.rfftn(x, s=(2, 6), axes=(1, 0)), REAL))
cases.add("irfftn of sizes", lambda: transformed(lambda x: T.irfftn(x, s=(4, 5)), COMPLEX))
cases.add("fftn of one size", lambda: transformed(lambda x: T.fftn(x, s=(3,)), COMPLEX))
cases.add(
    "integers", lambda: [parts(getattr(T, n)(frozen(np.arange(6).reshape(2, 3)))) for n in ("fft", "rfft")]
)
