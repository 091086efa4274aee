"""Section 12: gradients of py_func: what backward_func gets and gives, skipped variables, order of calls."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, declared, feed, names, program_with_callables, run, weight
from tests.support.parity.kit import Family

cases = Family("static_pyfunc_gradients")
X = np.array([1.0, 2.0], "float32")


def tanh(x):
    return np.tanh(np.array(x))


def tanh_grad(x, y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def two_outputs_one_used():
    x, seen = feed("x", 2), []
    a, b = declared("a", 2), declared("b", 2)

    def backward(t, y, z, dy, dz):
        seen.extend([np.array(v) for v in (t, y, z, dy, dz)])
        return np.array(dy) * 3 + np.array(dz)

    S.py_func(lambda t: (np.array(t) * 2, np.array(t) * 4), x, [a, b], backward)
    found = S.gradients(paddle.sum(a * 5.0), x)
    return program_with_callables(), run(found, {"x": X}), seen


def stopped_inputs():
    x, f = feed("x", 2), feed("f", 2, stop=True)
    out = S.py_func(
        lambda t, u: np.array(t) * np.array(u),
        [x, f],
        declared("out", 2),
        lambda *a: (np.array(a[-1]) * 3, None),
    )
    found = S.gradients(paddle.sum(out), [x, f])
    return out.stop_gradient, names(found), program_with_callables(), run(found[:1], {"x": X, "f": X})


def all_inputs_stopped():
    f = feed("f", 2, stop=True)
    return S.py_func(tanh, f, declared("out", 2), tanh_grad).stop_gradient


def value_for_a_stopped_input_is_dropped():
    x, f = feed("x", 2), feed("f", 2, stop=True)
    out = S.py_func(lambda t, u: np.array(t), [x, f], declared("out", 2), lambda *a: (np.array(a[-1]) * 3, X))
    return run(S.gradients(paddle.sum(out), [x, f])[:1], {"x": X, "f": X})


SKIPPED = {
    "input": lambda x, y, out: x,
    "output": lambda x, y, out: [out],
    "both": lambda x, y, out: (x, out),
    "all": lambda x, y, out: [y, x, out],
    "none": lambda x, y, out: [],
}


def skipped(pick):
    seen, x, y, out = [], feed("x", 2), feed("y", 2), declared("out", 2)

    def backward(*given):
        seen.append([np.array(t) for t in given])
        return np.array(given[-1]) * 3, np.array(given[-1]) * 5

    S.py_func(lambda t, u: np.array(t) + np.array(u), [x, y], out, backward, pick(x, y, out))
    found = S.gradients(paddle.sum(out * 2.0), [x, y])
    return program_with_callables(), run(found, {"x": X, "y": X * 10}), seen


for text, pick in SKIPPED.items():
    cases.add(f"skips {text}", skipped, pick)


def no_backward_func():
    x = feed("x", 2)
    h = x * 2.0
    out = S.py_func(tanh, h, declared("out", 2))
    found = S.gradients(paddle.mean(out) + paddle.sum(x), [x, h])
    return out.stop_gradient, names(found), run(found[:1], {"x": X})


def fan_out():
    x = feed("x", 2)
    h = x * 2.0
    out = S.py_func(lambda t: np.array(t) * 3, h, declared("out", 2), lambda t, y, d: np.array(d) * 5)
    found = S.gradients(paddle.mean(out + h), x)
    return program_with_callables(), run(found, {"x": X})


def parameter_through_py_func():
    w = weight(2)
    out = S.py_func(
        lambda t: np.array(t) ** 2, w, declared("out", 2), lambda t, y, d: np.array(d) * 2 * np.array(t)
    )
    loss = paddle.sum(out)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return run([loss, w])


def program_order():
    order, x = [], feed("x", 2)
    a = S.py_func(
        lambda t: order.append("a") or np.array(t),
        x,
        declared("a", 2),
        lambda *g: order.append("da") or np.array(g[-1]),
    )
    b = S.py_func(
        lambda t: order.append("b") or np.array(t),
        a,
        declared("b", 2),
        lambda *g: order.append("db") or np.array(g[-1]),
    )
    run(S.gradients(paddle.sum(b), x), {"x": X})
    return order


def compiled():
    out = S.py_func(tanh, feed("x", 2), declared("out", 2))
    return run([out], {"x": X}, S.CompiledProgram(S.default_main_program()))


def cloned():
    out = S.py_func(tanh, feed("x", 2), declared("out", 2))
    return run([out.name], {"x": X}, S.default_main_program().clone(for_test=True))


def in_a_branch():
    x = feed("x", 2)

    def branch():
        return S.py_func(lambda t: np.array(t) * 3, x, declared("inner", 2), lambda t, y, d: np.array(d) * 5)

    out = S.nn.cond(paddle.mean(x) < 5.0, branch, lambda: x * 7.0)
    found = S.gradients(paddle.sum(out), x)
    exe = S.Executor()
    return [exe.run(feed={"x": X * k}, fetch_list=[out, *found]) for k in (1.0, 10.0)]
