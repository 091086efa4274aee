"""Section 11: static_pylayer inside and around control flow, other pylayers and host functions."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, calls, declared, feed, listing, names, pairs, run, weight
from tests.support.parity.kit import Family

cases = Family("static_pylayer_nested")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def count(value):
    return paddle.full([1], value, "int64")


def pylayer_in_forward():
    x = feed("x", 2)

    def forward(t):
        return layer(lambda u: u * 2, [t], lambda d: d * 7.0) * 3.0

    out = layer(forward, [x], lambda d: d * 5.0)
    return {"values": run([out, *S.gradients(out, x)], {"x": X}), "program": listing()}


def pylayer_in_backward():
    x = feed("x", 2)
    out = layer(lambda t: t * 2, [x], lambda d: layer(lambda u: u * 11.0, [d], lambda e: e * 7.0) + d)
    return {"values": run([out, *S.gradients(out, x)], {"x": X}), "program": listing()}


def pylayer_as_the_answer_of_backward():
    x = feed("x", 2)
    out = layer(lambda t: t * 2, [x], lambda d: layer(lambda u: u * 11.0, [d], lambda e: e * 7.0))
    return {"values": run([out, *S.gradients(out, x)], {"x": X}), "program": listing()}


def cond_in_forward_and_backward():
    x = feed("x", 2)

    def forward(t):
        return S.nn.cond(paddle.mean(t) < 5.0, lambda: t * 2.0, lambda: t * 3.0)

    def backward(d):
        return S.nn.cond(paddle.mean(d) < 5.0, lambda: d * 20.0, lambda: d * 30.0)

    out = layer(forward, [x], backward)
    found = S.gradients(paddle.mean(out * 8.0), x)
    exe = S.Executor()
    values = [exe.run(feed={"x": X * k}, fetch_list=[out, *found]) for k in (1.0, 10.0)]
    return {"values": values, "program": listing()}


def while_in_forward_and_backward():
    x = feed("x", 2)

    def power(t, times):
        i, n = count(0), count(times)
        return S.nn.while_loop(lambda i, a: i < n, lambda i, a: [i + 1, a * t], [i, t * 1.0])[1]

    out = layer(lambda t: power(t, 2), [x], lambda d: power(d, 1) * 3.0)
    return run([out, *S.gradients(out, x)], {"x": X})


def in_the_branches_of_a_cond():
    x = feed("x", 2)

    def true():
        return layer(lambda t: t * t, [x], lambda d: d * 10.0)

    def false():
        return layer(lambda t: t * 4.0, [x], lambda d: d * 20.0)

    out = S.nn.cond(paddle.mean(x) < 5.0, true, false)
    found = S.gradients(paddle.mean(out), x)
    exe = S.Executor()
    values = [exe.run(feed={"x": X * k}, fetch_list=[out, *found]) for k in (1.0, 10.0)]
    return {"values": values, "program": listing()}


def in_the_body_of_a_while():
    x = feed("x", 2)
    i, n = count(0), count(2)

    def body(i, a):
        return [i + 1, layer(lambda t: t * t, [a], lambda d: d * 10.0)]

    out = S.nn.while_loop(lambda i, a: i < n, body, [i, x * 1.0])[1]
    found = S.gradients(paddle.mean(out), x)
    return {"values": run([out, *found], {"x": X}), "program": calls()}


def py_func_in_forward_and_backward():
    x = feed("x", 2)

    def host(t, factor, name):
        return S.py_func(lambda a: np.array(a) * np.float32(factor), t, declared(name, 2))

    out = layer(lambda t: host(t, 2.0, "forward"), [x], lambda d: host(d, 3.0, "backward"))
    return run([out, *S.gradients(out, x)], {"x": X})


def sub_layers_of_a_network():
    x = feed("x", -1, 2)
    w = S.create_parameter(
        [2, 2], "float32", name="w", default_initializer=paddle.nn.initializer.Constant(0.5)
    )
    h = paddle.matmul(x, w)
    out = layer(lambda t: paddle.nn.functional.relu(t), [h], lambda d: d * 0.5)
    loss = paddle.mean(layer(paddle.square, [out], lambda d: d * out))
    paddle.optimizer.Adam(0.1).minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [
        exe.run(feed={"x": np.array([[1.0, -2.0]], "float32") * k}, fetch_list=[loss, w]) for k in (1, -1, 2)
    ]


def copies_count_among_the_assigns():
    x = feed("x", 2)
    counted = [paddle.assign(x)]
    out = layer(lambda t: (paddle.assign(t), t * 2.0), [x], lambda d, e: paddle.assign(d))[0]
    counted.append(paddle.assign(out))
    S.nn.cond(paddle.mean(x) < 5.0, lambda: paddle.assign(x), lambda: x)
    counted.append(paddle.assign(x))
    S.nn.while_loop(lambda i, a: i < 3, lambda i, a: [i + 1, paddle.assign(a)], [count(0), x * 1.0])
    counted.append(paddle.assign(x))
    paddle.assign(x, paddle.zeros([2]))
    counted.append(paddle.assign(x))
    return names(counted)


def parameters_made_inside_and_a_branch_around():
    x, w = feed("x", -1, 3), weight(3, 3)

    def branch():
        return layer(lambda t: S.nn.fc(t, 3), [x], lambda d: d * 2.0)

    out = S.nn.cond(paddle.mean(x) < 5.0, branch, lambda: paddle.matmul(x, w))
    forward = listing()
    return forward, pairs(S.append_backward(paddle.mean(out)))
