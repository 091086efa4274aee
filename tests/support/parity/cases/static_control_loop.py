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


def _branching():
    """2 * x * x, its second factor multiplied in a branch."""
    x = feed("x", 2)
    i, n = count(0), count(2)

    def body(i, a):
        return [i + 1, S.nn.cond(i < 1, lambda: a * 2.0, lambda: a * x)]

    out = loop(lambda i, a: i < n, body, [i, x * 1.0])[1]
    return out, S.gradients(paddle.mean(out), x)[0]
