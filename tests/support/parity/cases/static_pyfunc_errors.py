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


RAISED = {
    "ValueError": ValueError("mine"),
    "KeyError": KeyError("mine"),
    "ZeroDivisionError": ZeroDivisionError("mine"),
    "own": Unusual("mine"),
}


def raised(error):
    out = S.py_func(failing(error), feed("x", 2), declared("out", 2))
    return raises(lambda: run([out], {"x": X}), "mine")


for text, error in RAISED.items():
    cases.add(f"func raises {text}", raised, error)


WRONG = {  # what func returns, how many outputs are declared
    "none": (lambda t: None, 1),
    "too few": (lambda t: np.array(t), 2),
    "too few in a tuple": (lambda t: (np.array(t),), 2),
    "too many": (lambda t: (np.array(t), np.array(t)), 1),
    "a list is several": (lambda t: [1.0, 2.0], 1),
    "one is none": (lambda t: (np.array(t), None), 2),
    "value for no output": (lambda t: np.array(t), 0),
}


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


BACKWARD = {
    "none": lambda *given: None,
    "too few": lambda *given: np.array(given[-1]),
    "too many": lambda *given: (np.array(given[-1]),) * 3,
    "none for one that flows": lambda *given: (np.array(given[-1]), None),
}


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


CALLABLES = {
    "method": (Doubler().triple, X * 3),
    "object": (Doubler(), X * 2),
    "default argument": (lambda t, k=5: np.array(t) * np.float32(k), X * 5),
    "ufunc": (np.tanh, np.tanh(X)),
}


def any_callable(func):
    return run([S.py_func(func, feed("x", 2), declared("out", 2))], {"x": X})


for text, (func, answer) in CALLABLES.items():
    cases.add(f"any callable {text}", any_callable, func, ours=[answer])
