"""Section 13: cond: blocks, names, values, gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, skeleton
from tests.support.parity.kit import Family

cases = Family("static_control")
X = np.array([1.0, 2.0], "float32")
cond = S.nn.cond


def both(fetch):
    """Run with a small and a large x: both branches of `small`."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(feed={"x": X * k}, fetch_list=fetch) for k in (1.0, 10.0)]


def small(x):
    return paddle.mean(x) < 5.0


STRUCTURES = {
    "list": (lambda x: [x * 1, x * 2], lambda x: [x * 3, x * 4]),
    "tuple": (lambda x: (x * 1, x * 2), lambda x: (x * 3, x * 4)),
    "list of one": (lambda x: [x * 1], lambda x: [x * 3]),
    "nested": (lambda x: (x * 1, [x * 2]), lambda x: (x * 3, [x * 4])),
    "dict": (lambda x: {"a": x * 1, "b": x * 2}, lambda x: {"a": x * 3, "b": x * 4}),
    "same twice": (lambda x: (x, x), lambda x: (x * 3, x * 4)),
    "equal numbers": (lambda x: (1, x), lambda x: (1, x)),
    "different numbers": (lambda x: (2, x), lambda x: (3, x)),
    "none": (lambda x: None, lambda x: None),
}


def structure(true, false):
    x = feed("x", 2)
    made = cond(small(x), lambda: true(x), lambda: false(x))
    return {"result": skeleton(made), "program": listing()}


for text, (true, false) in STRUCTURES.items():
    cases.add(f"structure {text}", structure, true, false)
