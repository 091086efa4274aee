"""Attention."""

import paddle

from tests.support.parity.kit import Family, data

cases = Family("sequences")
F = paddle.nn.functional

q, k, v = (data(2, 4, 2, 3, seed=seed).astype("float32") for seed in (1, 2, 3))
CALLS = cases.table("calls", globals())
for text, call in CALLS.items():
    cases.add(text, call)
