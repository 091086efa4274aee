"""Section 11: what the functions of a static_pylayer may return, and what comes back."""

import numpy as np

from tests.support.parity.graphs import S, feed, listing, skeleton
from tests.support.parity.kit import Family

cases = Family("static_pylayer_results")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


STRUCTURES = cases.table("structures", globals())


def structure(make):
    x = feed("x", 2, stop=True)
    return {"result": skeleton(layer(make, [x])), "program": listing()}


for text, make in STRUCTURES.items():
    cases.add(f"result {text}", structure, make)
