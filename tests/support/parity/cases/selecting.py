"""Gathering, scattering, choosing: gradients add up where an element is used twice."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, api, data

cases = Family("selecting")

ROWS = np.array([2, 0, 2])
PAIRS = np.array([[0, 1], [2, 0], [0, 1]])
MASK = np.array([[True, False], [False, True], [True, True]])
ALONG = np.array([[0, 1], [1, 1], [0, 0]])

READS = {  # on a [3, 2] tensor
    "gather": (api("gather"), ROWS),
    "gather axis 1": (lambda x, i: paddle.gather(x, i, axis=1), np.array([1, 1, 0])),
    "gather_nd pairs": (api("gather_nd"), PAIRS),
    "gather_nd rows": (api("gather_nd"), np.array([[1], [1]])),
    "index_select": (api("index_select"), ROWS),
    "index_select axis 1": (lambda x, i: paddle.index_select(x, i, axis=1), np.array([1, 1, 0])),
    "take_along_axis": (lambda x, i: paddle.take_along_axis(x, i, axis=1), ALONG),
    "take_along_axis 0": (lambda x, i: paddle.take_along_axis(x, i, axis=0), np.array([[2, 0], [2, 1]])),
    "masked_select": (api("masked_select"), MASK),
    "method gather": (lambda x, i: x.gather(i), ROWS),
    "where scalar": (lambda x, m: paddle.where(m, x, paddle.zeros_like(x)), MASK),
}
for text, (fn, index) in READS.items():
    cases.gradients(text, fn, data(3, 2), index, single=True)

WRITES = {  # on a [3, 2] tensor and values
    "scatter overwrite": (lambda x, i, v: paddle.scatter(x, i, v), np.array([2, 0]), data(2, 2, seed=2)),
    "scatter add": (lambda x, i, v: paddle.scatter(x, i, v, overwrite=False), ROWS, data(3, 2, seed=2)),
    "scatter_nd_add rows": (api("scatter_nd_add"), np.array([[1], [1]]), data(2, 2, seed=2)),
    "scatter_nd_add cells": (api("scatter_nd_add"), PAIRS, data(3, seed=2)),
    "where": (lambda x, m, v: paddle.where(m, x, v), MASK, data(3, 2, seed=2)),
    "where broadcast": (lambda x, m, v: paddle.where(m, x, v), MASK, data(2, seed=2)),
}
for text, (fn, index, values) in WRITES.items():
    cases.gradients(text, fn, data(3, 2), index, values, single=True)
