"""Gathering, scattering, choosing: gradients add up where an element is used twice."""

import numpy as np

from tests.support.parity.kit import Family, data

cases = Family("selecting")

ROWS = np.array([2, 0, 2])
PAIRS = np.array([[0, 1], [2, 0], [0, 1]])
MASK = np.array([[True, False], [False, True], [True, True]])
ALONG = np.array([[0, 1], [1, 1], [0, 0]])

READS = cases.table("reads", globals())
for text, (fn, index) in READS.items():
    cases.gradients(text, fn, data(3, 2), index, single=True)

WRITES = cases.table("writes", globals())
for text, (fn, index, values) in WRITES.items():
    cases.gradients(text, fn, data(3, 2), index, values, single=True)
