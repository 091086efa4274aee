"""Section 13: while_loop: blocks, names, values, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, calls, feed, listing, names, ones, pairs, run, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_control_loop")
X = np.array([1.0, 2.0], "float32")
loop = S.nn.while_loop


def count(value):
    return paddle.full([1], value, "int64")


def times(number, body, *carried):
    """Run `body` that often over the carried variables; what they become."""
    i, n = count(0), count(number)
    return loop(lambda i, *rest: i < n, lambda i, *rest: [i + 1, *body(*rest)], [i, *carried])[1:]


def counting():
    i, n = count(0), count(3)
    (out,) = loop(lambda i: i < n, lambda i: i + 1, [i])
    return {"same": out is i, "program": listing(), "values": run([out])}


def results_are_the_loop_variables():
    x = feed("x", 2)
    i, n, acc = count(0), count(3), x * 1.0
    outs = loop(lambda i, a: i < n, lambda i, a: (i + 1, a * 2.0), (i, acc))
    return type(outs).__name__, names(outs) == names([i, acc]), listing(), run(outs, {"x": X})


def no_iteration():
    x = feed("x", 2)
    (out,) = times(0, lambda a: [a * x], x * 3.0)
    found = S.gradients(paddle.sum(out), x)
    return run([out, *found], {"x": X})


def gradient():
    x = feed("x", 2)
    (out,) = times(3, lambda a: [a * x], x * 1.0)
    found = S.gradients(paddle.mean(out), x)
    return {"program": calls(), "values": run([out, *found], {"x": X})}


def body_uses_an_outer_variable_twice():
    x = feed("x", 2)
    (out,) = times(3, lambda a: [a + x * x], x * 1.0)
    found = S.gradients(paddle.sum(out), x)
    return {"program": calls(), "values": run([out, *found], {"x": X})}


def several_carried():
    x = feed("x", 2)
    a, b = times(3, lambda a, b: [a * 2.0, b + a], x * 1.0, x * 3.0)
    found = S.gradients(paddle.sum(a * b), x)
    return {"program": calls(), "values": run([a, b, *found], {"x": X})}


@cases.ours([X * 10, X])
def swapping():
    x, y = feed("x", 2), feed("y", 2)
    return run(times(3, lambda a, b: [b, a], x * 1.0, y * 1.0), {"x": X, "y": X * 10})


def placeholder_as_loop_variable():
    x = feed("x", 2)
    (out,) = times(2, lambda a: [a * 3.0], x)
    return out is x, run([out], {"x": X})


def accumulator_of_zeros_that_flows():
    x = feed("x", 2)
    zeros = paddle.zeros([2])
    zeros.stop_gradient = False
    (out,) = times(3, lambda a: [a + x * x], zeros)
    found = S.gradients(paddle.sum(out), x)
    return run([out, *found], {"x": X})


@cases.ours([np.array([6.0, 12.0], "float32")])
def accumulator_of_zeros():
    x = feed("x", 2)
    (out,) = times(3, lambda a: [a + x * x], paddle.zeros([2]))
    return run(S.gradients(paddle.sum(out), x), {"x": X})


def parameter_in_the_body():
    x, w = feed("x", 2, 3, stop=True), weight(3, 3, value=0.1)
    (out,) = times(2, lambda a: [paddle.tanh(paddle.matmul(a, w))], paddle.matmul(x, w))
    found = S.append_backward(paddle.mean(out))
    values = run([out, *(gradient for _, gradient in found)], {"x": ones(2, 3)})
    return {"pairs": pairs(found), "program": calls(), "values": values}


def trained():
    x, w = feed("x", 2), weight(2)
    (out,) = times(2, lambda a: [a * w], x * 1.0)
    loss = paddle.mean(out)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return run([loss, w], {"x": X})


def data_decides_how_often():
    x = feed("x", 2)
    acc = x * 1.0
    (out,) = loop(lambda a: paddle.sum(a) < 100.0, lambda a: [a * 2.0], [acc])
    found = S.gradients(paddle.sum(out), x)
    return [run([out, *found], {"x": X * k}) for k in (1.0, 30.0, 1000.0)]


def condition_of_zero_d():
    i = paddle.full([], 0, "int64")
    (out,) = loop(lambda i: i < 3, lambda i: [i + 1], [i])
    return run([out])


def assigning_an_outer_variable():
    total = paddle.zeros([1], "int64")
    i, n = count(0), count(4)

    def body(i):
        paddle.assign(total + i, total)
        return [i + 1]

    loop(lambda i: i < n, body, [i])
    return listing(), run([total])


def incrementing_in_place():
    i, n = count(0), count(4)
    (out,) = loop(lambda i: i < n, lambda i: [paddle.increment(i)], [i])
    return listing(), run([out])


def _branching():
    """2 * x * x, its second factor multiplied in a branch."""
    x = feed("x", 2)
    i, n = count(0), count(2)

    def body(i, a):
        return [i + 1, S.nn.cond(i < 1, lambda: a * 2.0, lambda: a * x)]

    out = loop(lambda i, a: i < n, body, [i, x * 1.0])[1]
    return out, S.gradients(paddle.mean(out), x)[0]


def cond_in_the_body():
    out, _ = _branching()
    return {"program": calls(), "values": run([out], {"x": X})}


@cases.ours([X * 2])
def gradient_of_a_cond_in_the_body():
    return run([_branching()[1]], {"x": X})


def loop_in_the_body():
    x = feed("x", 2)
    (out,) = times(2, lambda a: times(2, lambda b: [b * x], a), x * 1.0)
    found = S.gradients(paddle.mean(out), x)
    return {"program": calls(), "values": run([out, *found], {"x": X})}


def loop_in_a_branch():
    x = feed("x", 2)
    out = S.nn.cond(paddle.mean(x) < 5.0, lambda: times(2, lambda a: [a * x], x * 1.0)[0], lambda: x * 3.0)
    found = S.gradients(paddle.mean(out), x)
    return [run([out, *found], {"x": X * k}) for k in (1.0, 10.0)]


def two_loops():
    x = feed("x", 2)
    (first,) = times(2, lambda a: [a * x], x * 1.0)
    (second,) = times(2, lambda a: [a + first], first * 1.0)
    found = S.gradients(paddle.sum(second), x)
    return run([first, second, *found], {"x": X})


@cases.ours([X * X * 1.5, X * X * 1.5])
def second_call_of_gradients():
    x = feed("x", 2)
    (out,) = times(2, lambda a: [a * x], x * 1.0)
    mean = paddle.mean(out)
    return run([S.gradients(mean, x)[0], S.gradients(mean, x)[0]], {"x": X})


def errors():
    i, x = count(0), feed("x", 2)

    def less(i):
        return i < 3

    return [
        raises(lambda: loop(3, less, [i])),
        raises(lambda: loop(less, 3, [i])),
        raises(lambda: loop(less, less, i), "loop_vars"),
        raises(lambda: loop(less, less, [])),
        raises(lambda: loop(lambda i: i + 1, lambda i: i + 1, [i]), "bool"),
        raises(lambda: loop(lambda x: x < 3.0, lambda x: x + 1.0, [x]), "shape"),
        raises(lambda: loop(less, lambda i: [i + 1, i], [i]), "loop_vars"),
    ]


def eagerly():
    paddle.disable_static()
    x = paddle.to_tensor(X)
    i, acc = paddle.full([1], 0, "int64"), x * 1.0
    found = loop(lambda i, a: i < 3, lambda i, a: [i + 1, a * x], [i, acc])
    return type(found).__name__, found


@cases.ours(X * X * 4)
def eager_gradient():
    paddle.disable_static()
    x = paddle.to_tensor(X, stop_gradient=False)
    i, acc = paddle.full([1], 0, "int64"), x * x
    found = loop(lambda i, a: i < 2, lambda i, a: [i + 1, a * x], [i, acc])
    paddle.sum(found[1]).backward()
    return x.grad / x
