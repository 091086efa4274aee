"""Jacobians and Hessians; derivatives of functions, forwards and backwards."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("derivatives")
A, U = paddle.autograd, paddle.incubate.autograd
X, Z, BATCH = data(3), data(3, seed=2), data(4, 2)


def mixed(x, z):
    return x * x * z + paddle.sin(z)


def jacobian_of_one():
    x = leaf(X)
    found = A.jacobian(x * x.sum(), x)
    parts = [found[0], found[1, :], found[:, 2], found[0, 1], found[1:], found[-1], found[:, :2], found[::2]]
    whole = [
        found[:],
        found.numpy(),
        found + found,
        found * 2,
        found @ found,
        found > 1.0,
        found.sum(),
        found.T,
    ]
    return [list(found.shape), *parts, *whole]


def jacobian_of_several():
    x, z = leaf(X), leaf(Z)
    found = A.jacobian([mixed(x, z), z * z], [x, z])
    column = A.jacobian([mixed(x, z), z * z], x)
    row = A.jacobian(mixed(x, z), (x, z))
    kinds = [type(one).__name__ for one in (found, found[0], column, row)]
    return [
        kinds,
        [[one[:] for one in line] for line in found],
        [one[:] for one in column],
        [one[:] for one in row],
    ]


def numbers():
    x, v = leaf(np.array(2.0)), leaf(X)
    of_number, of_vector = A.jacobian(x * x, x), A.jacobian((v * v).sum(), v)
    by_number = A.jacobian(x * frozen(X), x)
    found = [list(one.shape) for one in (of_number, of_vector, by_number)]
    return [found, of_number.numpy(), of_vector[0], of_vector[:], by_number[1], by_number[:]]


def jacobian_of_a_batch():
    x = leaf(BATCH)
    found = A.jacobian(x * x.sum(-1, keepdim=True), x, batch_axis=0)
    return [list(found.shape), found[:], found[0], found[:, 0], found[:, :, 1], found[1:3, 1], found[2, 0, 1]]


def hessian_of_one():
    x = leaf(X)
    found = A.hessian((x**3).sum() * x[0], x)
    return [type(found).__name__, list(found.shape), found[:], found[0], found[:, 1], found.numpy()]


def hessian_of_several():
    x, z = leaf(X), leaf(Z)
    found = A.hessian(mixed(x, z).sum(), (x, z))
    return [type(found[0][1]).__name__, [[one[:] for one in line] for line in found]]


def hessian_of_a_batch():
    x = leaf(BATCH)
    found = A.hessian((x**3).sum(-1), x, batch_axis=0)
    return [list(found.shape), found[:], found[:, 0]]


def further_derivatives():
    x = leaf(X)
    found = A.jacobian(x * x * x, x)[:]
    return [found.stop_gradient, paddle.grad([(found * found).sum()], [x])[0]]


def forwards_and_backwards():
    x, z, v = frozen(X), frozen(Z), frozen(data(3, seed=5))
    product = paddle.matmul
    m = frozen(data(3, 3))
    return [
        [fn(lambda x: x * x.sum(), x) for fn in (U.vjp, U.jvp)],
        [fn(lambda x: x * x.sum(), x, v) for fn in (U.vjp, U.jvp)],
        [fn(mixed, [x, z], given) for fn, given in ((U.vjp, v), (U.jvp, [v, x]))],
        [fn(lambda x, z: (x * z, x + z), [x, z], [v, x]) for fn in (U.vjp, U.jvp)],
        [fn(lambda a: product(a, a), m, m + 1) for fn in (U.vjp, U.jvp)],
        [fn(lambda x, z: x * x, [x, z], given) for fn, given in ((U.vjp, v), (U.jvp, [v, x]))],
        [x.stop_gradient, x.grad],
    ]


def refused():
    x, b = leaf(X), leaf(BATCH)
    found, number = A.jacobian(x * x, x), leaf(np.array(1.0))
    return {
        "axes": raises(lambda: A.jacobian(b * b, b), "ndim should be 0 or 1"),
        "batch": raises(
            lambda: A.jacobian(x * x, leaf(data(2, 2, 2)), batch_axis=0), "ndim should be 1 or 2"
        ),
        "batch axis": raises(lambda: A.jacobian(b * b, b, batch_axis=1), "should be None or 0"),
        "ellipsis": raises(lambda: found[...], "Ellipsis index"),
        "beyond": raises(lambda: found[5], "out of bounds"),
        "number": raises(lambda: A.jacobian(number * number, number)[0], "0-D tensor can not be indexed"),
        "hessian": raises(lambda: A.hessian(x * x, x), "==1 when batch_axis is None"),
        "hessian of a batch": raises(lambda: A.hessian(b * b, b, batch_axis=0), "==1 when batch_axis is int"),
        "function": raises(lambda: U.vjp(3, x), "Expected 'fun' is Callable"),
        "xs": raises(lambda: U.jvp(lambda x: x, 3), "Expected 'xs'"),
        "v": raises(lambda: U.vjp(lambda x: x, x, 3), "Expected 'v'"),
        "v's number": raises(lambda: U.vjp(lambda x: x, x, [x, x]), "should be 1 but got 2"),
        "v's shape": raises(lambda: U.jvp(lambda x: x, x, x[:1]), "v[0] has invalid shape"),
    }
