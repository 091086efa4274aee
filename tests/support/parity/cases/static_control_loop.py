"""Section 13: while_loop: blocks, names, values, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, calls, feed, run
from tests.support.parity.kit import Family

cases = Family("static_control_loop")
X = np.array([1.0, 2.0], "float32")
loop = S.nn.while_loop


def count(value):
    return paddle.full([1], value, "int64")


def times(number, body, *carried):
    """Run `body` that often over the carried variables; what they become."""
    i, n = count(0), count(number)
    return loop(lambda i, *rest: i < n, lambda i, *rest: [i + 1, *body(*rest)], [i, *carried])[1:]


def gradient():
    x = feed("x", 2)
    (out,) = times(3, lambda a: [a * x], x * 1.0)
    found = S.gradients(paddle.mean(out), x)
    return {"program": calls(), "values": run([out, *found], {"x": X})}


@cases.ours([X * 10, X])
def swapping():
    x, y = feed("x", 2), feed("y", 2)
    return run(times(3, lambda a, b: [b, a], x * 1.0, y * 1.0), {"x": X, "y": X * 10})


@cases.ours([np.array([6.0, 12.0], "float32")])
def accumulator_of_zeros():
    x = feed("x", 2)
    (out,) = times(3, lambda a: [a + x * x], paddle.zeros([2]))
    return run(S.gradients(paddle.sum(out), x), {"x": X})


def _branching():
    """2 * x * x, its second factor multiplied in a branch."""
    x = feed("x", 2)
    i, n = count(0), count(2)

    def body(i, a):
        return [i + 1, S.nn.cond(i < 1, lambda: a * 2.0, lambda: a * x)]

    out = loop(lambda i, a: i < n, body, [i, x * 1.0])[1]
    return out, S.gradients(paddle.mean(out), x)[0]


@cases.ours([X * 2])
def gradient_of_a_cond_in_the_body():
    return run([_branching()[1]], {"x": X})


@cases.ours([X * X * 1.5, X * X * 1.5])
def second_call_of_gradients():
    x = feed("x", 2)
    (out,) = times(2, lambda a: [a * x], x * 1.0)
    mean = paddle.mean(out)
    return run([S.gradients(mean, x)[0], S.gradients(mean, x)[0]], {"x": X})


@cases.ours(X * X * 4)
def eager_gradient():
    paddle.disable_static()
    x = paddle.to_tensor(X, stop_gradient=False)
    i, acc = paddle.full([1], 0, "int64"), x * x
    found = loop(lambda i, a: i < 2, lambda i, a: [i + 1, a * x], [i, acc])
    paddle.sum(found[1]).backward()
    return x.grad / x
