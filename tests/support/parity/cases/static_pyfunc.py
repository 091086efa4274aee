"""Section 12: py_func: the operator, what the host functions get, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, declared, feed, program_with_callables, run
from tests.support.parity.kit import Family

cases = Family("static_pyfunc")
X = np.array([1.0, 2.0], "float32")


def tanh(x):
    return np.tanh(np.array(x))


def tanh_grad(x, y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


FORMS = cases.table("forms", globals())


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


RESULTS = cases.table("results", globals())


def result(func):
    return run([S.py_func(func, feed("x", 2), declared("out", 2))], {"x": X})


for text, func in RESULTS.items():
    cases.add(f"result {text}", result, func)
