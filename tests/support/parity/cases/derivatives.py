"""Jacobians and Hessians; derivatives of functions, forwards and backwards."""

import paddle

from tests.support.parity.kit import Family, data

cases = Family("derivatives")
A, U = paddle.autograd, paddle.incubate.autograd
X, Z, BATCH = data(3), data(3, seed=2), data(4, 2)


def mixed(x, z):
    return x * x * z + paddle.sin(z)
