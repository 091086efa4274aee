"""``paddle.fft``: values, gradients, dtypes and errors."""

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


def frequencies():
    x = frozen(np.arange(12.0).reshape(3, 4))
    moved = [T.fftshift(x), T.ifftshift(x), T.fftshift(x, axes=[0, 1])]
    return [T.fftfreq(5), T.fftfreq(4, 0.5), T.rfftfreq(5), T.rfftfreq(4, 0.5), *moved]


def refused():
    x = frozen(REAL)
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
    }
