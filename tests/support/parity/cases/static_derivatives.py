"""Jacobians and Hessians in Programs: what they give when they run."""

import paddle

from tests.support.parity.kit import Family, data

cases = Family("static_derivatives")
X = data(3).astype("float32")
U = paddle.incubate.autograd
