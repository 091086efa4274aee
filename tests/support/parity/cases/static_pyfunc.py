"""Section 12: py_func: the operator, what the host functions get, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, declared, feed, ones, program_with_callables, run
from tests.support.parity.kit import Family

cases = Family("static_pyfunc")
X = np.array([1.0, 2.0], "float32")


def tanh(x):
    return np.tanh(np.array(x))


def tanh_grad(x, y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def forward_and_backward():
    x, out = feed("x", 2), declared("out", 2)
    same = S.py_func(tanh, x, out, tanh_grad) is out
    found = S.gradients(paddle.mean(out), x)
    return same, program_with_callables(), run([out, *found], {"x": X})


def lives_in_nn_too():
    x, out = feed("x", 2), declared("out", 2)
    S.nn.py_func(tanh, x, out)
    return run([out], {"x": X})


def ids_pair_forward_and_backward():
    x, out = feed("x", 2), declared("out", 2)
    S.py_func(tanh, x, out, tanh_grad)
    S.gradients(out, x)
    ops = [op for op in S.default_main_program().global_block().ops if op.type == "py_func"]
    first, second = ([op.attr("forward_callable_id"), op.attr("backward_callable_id")] for op in ops)
    return first[1] == second[0], second[1]


def documented_example_1():
    def skipping(y, dy):
        return np.array(dy) * (1 - np.square(np.array(y)))

    x, label = feed("x", 1, 4, stop=True), feed("y", 1, dtype="int64", stop=True)
    hidden, probed = x, []
    for i in range(4):
        hidden = S.nn.fc(hidden, size=8, weight_attr=constant(0.1 * (i + 1)))
        new_hidden = declared(f"hidden_{i}", *hidden.shape)
        hidden = S.py_func(lambda t: np.tanh(t), hidden, new_hidden, skipping, hidden)
        S.py_func(lambda t: probed.append(np.array(t).shape), hidden, None)
    prediction = S.nn.fc(hidden, size=10, activation="softmax", weight_attr=constant(0.3))
    loss = paddle.nn.CrossEntropyLoss()(prediction, label)
    out = run([loss.name, hidden], {"x": ones(1, 4), "y": np.array([3], "int64")})
    return {"out": out, "probed": probed, **program_with_callables()}


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


def documented_example_1_trained():
    x = feed("x", -1, 3, stop=True)
    hidden = S.nn.fc(x, 2, weight_attr=constant(0.1))
    out = S.py_func(
        lambda t: np.tanh(t), hidden, declared("out", -1, 2), lambda y, dy: tanh_grad(0, y, dy), hidden
    )
    loss = paddle.mean(out)
    paddle.optimizer.SGD(0.5).minimize(loss)
    return run([loss, "fc_0.w_0", "fc_0.b_0"], {"x": ones(2, 3)}), program_with_callables()


def documented_example_2():
    def element_wise_add(x, y):
        x, y = np.array(x), np.array(y)
        if x.shape != y.shape:
            raise AssertionError("the shape of inputs must be the same!")
        result = np.zeros(x.shape, dtype="int32")
        for i in range(len(x)):
            for j in range(len(x[0])):
                result[i][j] = x[i][j] + y[i][j]
        return result

    x, y = (feed(name, 2, 3, dtype="int32", stop=True) for name in "xy")
    output = declared("output", 3, 1, dtype="int32")
    S.py_func(func=element_wise_add, x=[x, y], out=output)
    left, right = np.array([[5, 9, 9], [7, 5, 2]], "int32"), np.array([[7, 8, 4], [1, 3, 3]], "int32")
    return run([output.name], {"x": left, "y": right}), program_with_callables(), list(output.shape)


def nothing_runs_while_building():
    called, x = [], feed("x", 2)
    out = S.py_func(lambda t: called.append(1) or np.array(t), x, declared("out", 2))
    before = list(called)
    run([out], {"x": X})
    run([out], {"x": X})
    return before, called


def live_python():
    factor, x = [2.0], feed("x", 2)
    out = S.py_func(lambda t: np.array(t) * np.float32(factor[0]), x, declared("out", 2))
    first = run([out], {"x": X})
    factor[0] = 5.0
    return first, run([out], {"x": X})


def what_func_gets():
    seen, x, n = [], feed("x", 2), feed("n", dtype="int64", stop=True)

    def func(t, m):
        seen.extend([np.array(t), list(t.shape()), np.exp(t), np.array(m), list(m.shape())])
        return np.array(t)

    run([S.py_func(func, [x, n], declared("out", 2))], {"x": X, "n": np.array(3)})
    return seen


FORMS = {  # how x and out are given
    "single": (lambda x, y: x, lambda make: make("a"), lambda t: np.array(t)),
    "lists": (
        lambda x, y: [x, y],
        lambda make: [make("a"), make("b")],
        lambda t, u: (np.array(t), np.array(u)),
    ),
    "tuples": (
        lambda x, y: (x, y),
        lambda make: (make("a"), make("b")),
        lambda t, u: [np.array(u), np.array(t)],
    ),
    "no inputs": (lambda x, y: None, lambda make: make("a"), lambda: X * 7),
    "empty inputs": (lambda x, y: [], lambda make: make("a"), lambda: X * 7),
    "list of one": (lambda x, y: [x], lambda make: [make("a")], lambda t: [np.array(t)]),
}


def form(pick, outs, func):
    x, y = feed("x", 2), feed("y", 2)
    made = S.py_func(func, pick(x, y), outs(lambda name: declared(name, 2)))
    held = list(made) if isinstance(made, (list, tuple)) else [made]
    flags = [variable.stop_gradient for variable in held]
    return (
        type(made).__name__ in ("list", "tuple"),
        flags,
        run(held, {"x": X, "y": X * 2}),
        program_with_callables(),
    )


for text, (pick, outs, func) in FORMS.items():
    cases.add(f"form {text}", form, pick, outs, func)


def probe():
    x, seen = feed("x", 2), []
    h = x * 2.0
    nothing = S.py_func(lambda t: seen.append(np.array(t)), h, None)
    found = S.gradients(paddle.sum(h), x)
    return nothing, program_with_callables(), run(found, {"x": X}), seen


RESULTS = {  # dtype and shape are not compared with what is declared
    "another shape": lambda t: np.ones((2, 3), "float32"),
    "another dtype": lambda t: np.array(t).astype("int64"),
    "float64": lambda t: np.array(t).astype("float64"),
    "tensor": lambda t: t,
    "number": lambda t: 3,
    "float": lambda t: 2.5,
    "numpy scalar": lambda t: np.float32(2.5),
}


def result(func):
    return run([S.py_func(func, feed("x", 2), declared("out", 2))], {"x": X})


for text, func in RESULTS.items():
    cases.add(f"result {text}", result, func)
