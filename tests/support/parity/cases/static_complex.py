"""Gradients of complex numbers in Programs: the rules are those of eager mode."""

import numpy as np

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family

cases = Family("static_complex")
Z = np.array([[0.3 + 0.4j, 1 - 2j], [0.5j, -1 + 0.1j]], "complex64")
W = np.array([[1.3 - 0.4j, 1 + 2j], [0.2 + 0.5j, -1.5 + 1j]], "complex64")
FUNCTIONS = cases.table("functions", globals())


def gradients(fn):
    z, w = feed("z", 2, 2, dtype="complex64"), feed("w", 2, 2, dtype="complex64")
    found = [one for one in S.gradients([fn(z, w)], [z, w]) if one is not None]
    return [[one.real, one.imag] for one in run(found, {"z": Z, "w": W})]


for name, fn in FUNCTIONS.items():
    cases.add(name, gradients, fn)
