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


STRUCTURES = cases.table("structures", globals())


def structure(true, false):
    x = feed("x", 2)
    made = cond(small(x), lambda: true(x), lambda: false(x))
    return {"result": skeleton(made), "program": listing()}


for text, (true, false) in STRUCTURES.items():
    cases.add(f"structure {text}", structure, true, false)
