"""Section 12: gradients of py_func: what backward_func gets and gives, skipped variables, order of calls."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, declared, feed, program_with_callables, run
from tests.support.parity.kit import Family

cases = Family("static_pyfunc_gradients")
X = np.array([1.0, 2.0], "float32")


def tanh(x):
    return np.tanh(np.array(x))


SKIPPED = cases.table("skipped", globals())


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
