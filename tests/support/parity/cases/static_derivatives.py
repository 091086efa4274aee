"""Jacobians and Hessians in Programs: what they give when they run."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed, run
from tests.support.parity.kit import Family, data

cases = Family("static_derivatives")
X = data(3).astype("float32")
U = paddle.incubate.autograd


def jacobian_in_a_program():
    x = feed("x", 3)
    found = paddle.autograd.jacobian(x * x.sum(), x)
    return [list(found.shape), *run([found[:], found[1], found[:, 0]], {"x": X})]


def forwards_and_backwards():
    x = feed("x", 3)
    start = paddle.static.data("v", [3], "float32")
    back = U.vjp(lambda x: x * x.sum(), x, start)
    forth = U.jvp(lambda x: x * x.sum(), x, start)
    return run([*back, *forth], {"x": X, "v": np.arange(3, dtype="float32")})
