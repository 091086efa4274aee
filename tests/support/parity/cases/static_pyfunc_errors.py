"""Section 12: what py_func refuses while building and while running, and what we allow though 2.6.2 does not."""

import numpy as np

from tests.support.parity.graphs import S, declared, feed, run
from tests.support.parity.kit import Family, raises

cases = Family("static_pyfunc_errors")
X = np.array([1.0, 2.0], "float32")


def same(t):
    return np.array(t)


class Unusual(Exception):
    """An exception type of the user's own."""


def failing(error):
    def func(*given):
        raise error

    return func


RAISED = cases.table("raised", globals())


def raised(error):
    out = S.py_func(failing(error), feed("x", 2), declared("out", 2))
    return raises(lambda: run([out], {"x": X}), "mine")


for text, error in RAISED.items():
    cases.add(f"func raises {text}", raised, error)


WRONG = cases.table("wrong", globals())


def wrong(func, count):
    x = feed("x", 2)
    outs = [declared(f"out{i}", 2) for i in range(count)] or None
    S.py_func(func, x, outs)
    return raises(lambda: run(None, {"x": X}), "py_func")


for text, (func, count) in WRONG.items():
    cases.add(f"result {text}", wrong, func, count)


def odd(thing):
    out = S.py_func(lambda t: thing, feed("x", 2), declared("out", 2))
    return raises(lambda: run([out], {"x": X}))


for text, thing in {"text": "text", "object": object(), "dict": {"a": 1}}.items():
    cases.add(f"result of a kind: {text}", odd, thing)


BACKWARD = cases.table("backward", globals())


def wrong_gradient(backward):
    x, y, out = feed("x", 2), feed("y", 2), declared("out", 2)
    S.py_func(lambda t, u: np.array(t), [x, y], out, backward)
    found = S.gradients(out, [x, y])
    return raises(lambda: run(found, {"x": X, "y": X}), "py_func")


for text, backward in BACKWARD.items():
    cases.add(f"gradient {text}", wrong_gradient, backward)


class Doubler:
    """A callable object, and one with a method."""

    def __call__(self, t):
        return np.array(t) * 2

    def triple(self, t):
        return np.array(t) * 3


CALLABLES = cases.table("callables", globals())


def any_callable(func):
    return run([S.py_func(func, feed("x", 2), declared("out", 2))], {"x": X})


for text, (func, answer) in CALLABLES.items():
    cases.add(f"any callable {text}", any_callable, func, ours=[answer])
