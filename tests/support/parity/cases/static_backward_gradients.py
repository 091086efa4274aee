"""Section 9: `gradients`: seeds, several targets and inputs, what has no gradient, refusals."""

import numpy as np

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family

cases = Family("static_backward_gradients")
X = np.array([1.0, 2.0], "float32")


BUILT = cases.table("built", globals())


def built(make):
    x, y = feed("x", 2), feed("y", 2)
    found = [g for g in S.gradients(make(x, y), [x, y]) if g is not None]
    return {"program": listing(), "values": run(found, {"x": X, "y": X[::-1].copy()})}


for text, make in BUILT.items():
    cases.add(f"through {text}", built, make)
