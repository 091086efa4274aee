"""Section 11: what the functions of a static_pylayer may return, and what comes back."""

import numpy as np

from tests.support.parity.graphs import S, feed, listing, skeleton
from tests.support.parity.kit import Family

cases = Family("static_pylayer_results")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


STRUCTURES = {
    "tuple": lambda x: (x * 1, x * 2),
    "list": lambda x: [x * 1, x * 2],
    "tuple of one": lambda x: (x * 1,),
    "dict": lambda x: {"b": x * 1, "a": x * 2},
    "nested": lambda x: [x * 1, (x * 2, {"k": x * 3})],
    "others": lambda x: (x * 1, 3, "text", None),
    "none": lambda x: None,
    "number": lambda x: 3,
    "same twice": lambda x: (lambda y: (y, y))(x * 1),
}


def structure(make):
    x = feed("x", 2, stop=True)
    return {"result": skeleton(layer(make, [x])), "program": listing()}


for text, make in STRUCTURES.items():
    cases.add(f"result {text}", structure, make)
