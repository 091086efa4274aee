"""Gradients of complex numbers: the conjugate of the derivative, first and second order."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data

F = paddle.nn.functional
cases = Family("complex_numbers")
Z = np.array([[0.3 + 0.4j, 1 - 2j], [0.5j, -1 + 0.1j]])
W = np.array([[1.3 - 0.4j, 1 + 2j], [0.2 + 0.5j, -1.5 + 1j]])


def parts(tensor):
    """Real and imaginary parts, for the record knows real numbers only."""
    return None if tensor is None else [tensor.numpy().real, tensor.numpy().imag]


def gradients(fn):
    """What `fn` gives, its gradients under an uneven seed, and those of these."""
    z, w = (paddle.to_tensor(array, stop_gradient=False) for array in (Z, W))
    out = fn(z, w)
    seed = paddle.to_tensor(np.arange(1, out.numpy().size + 1).reshape(out.shape) * (1 - 0.5j))
    seed = seed.astype(out.dtype)
    return [parts(one) for one in [out, *paddle.grad([out], [z, w], [seed], allow_unused=True)]]


def second(fn):
    """Gradients of gradients, by way of absolute values."""
    z, w = (paddle.to_tensor(array, stop_gradient=False) for array in (Z, W))
    firsts = paddle.grad([fn(z, w)], [z, w], create_graph=True, allow_unused=True)
    size = sum((paddle.real(one) * paddle.to_tensor(data(2, 2))).sum() for one in firsts if one is not None)
    return [parts(one) for one in paddle.grad([size], [z, w], allow_unused=True)]


OF_PADDLE = "exp log sqrt square reciprocal sin cos tan tanh sinh cosh asin acos atan sgn log1p"
FUNCTIONS = {
    **{name: lambda z, w, name=name: getattr(paddle, name)(z) for name in OF_PADDLE.split()},
    **{
        name: lambda z, w, name=name: getattr(F, name)(z)
        for name in ("sigmoid", "silu", "softplus", "log_sigmoid")
    },
    **cases.table("functions", globals()),
}
SINGLE = 1e-6
"""The exponential of double precision passes through single precision in Paddle."""
EXPONENTIALS = ("exp", "sigmoid", "silu", "softplus", "log_sigmoid")
for name, fn in FUNCTIONS.items():
    cases.add(name, gradients, fn, tolerance=SINGLE if name in EXPONENTIALS else None)
for name in ("product", "matmul", "exp", "conj"):
    cases.add(f"second of {name}", second, FUNCTIONS[name], tolerance=SINGLE if name == "exp" else None)
