"""Reductions, sorting and scans: axis forms, keepdim, values and gradients."""

from itertools import product

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, api, data

cases = Family("reductions")

LISTED = ["sum", "mean", "max", "min", "amax", "amin", "prod", "logsumexp", "var", "std"]
AXES = [None, 0, -1, [0, 2], (0, 1), [-1, -2], [0, 1, 2]]
for name in LISTED:
    for axis, keepdim in product(AXES, (False, True)):
        call = api(name, axis=axis, keepdim=keepdim)
        single = axis == 0 and not keepdim
        cases.gradients(f"{name} axis={axis} keepdim={keepdim}", call, data(2, 3, 2), single=single)
    cases.gradients(f"{name} of 1-D", api(name), data(4))
for name in ["sum", "mean", "max", "prod", "logsumexp"]:
    cases.gradients(f"{name} of 0-D", api(name), data())

NORMS = [
    ("fro", None),
    ("fro", [0, 1]),
    (2, None),
    (2, 1),
    (1, 0),
    (1, None),
    (3, -1),
    (np.inf, 1),
    (-np.inf, 0),
]
for p, axis in NORMS:
    cases.gradients(
        f"norm p={p} axis={axis}",
        api("norm", p=p, axis=axis),
        data(2, 3),
        tolerance=ATTRIBUTE if p == 3 else None,
    )
cases.gradients("norm keepdim", api("norm", p=2, axis=1, keepdim=True), data(2, 3), single=True)
cases.gradients("norm of 1-D", api("norm"), data(5))

OTHERS = {
    "var biased": api("var", axis=1, unbiased=False),
    "std biased": api("std", unbiased=False),
    "cumsum": api("cumsum"),
    "cumsum 0": api("cumsum", axis=0),
    "cumsum -1": api("cumsum", axis=-1),
    "argmax": lambda x: paddle.argmax(x),
    "argmax 0": api("argmax", axis=0),
    "argmax keepdim": api("argmax", axis=-1, keepdim=True),
    "argmax int32": api("argmax", axis=1, dtype="int32"),
    "sort": api("sort"),
    "sort 0": api("sort", axis=0),
    "sort descending": api("sort", axis=1, descending=True),
    "argsort": lambda x: paddle.argsort(x) * 1,
    "argsort descending 0": lambda x: paddle.argsort(x, axis=0, descending=True) * 1,
    "topk 2": lambda x: paddle.topk(x, 2)[0],
    "topk 1 of axis 0": lambda x: paddle.topk(x, k=1, axis=0)[0],
    "topk smallest": lambda x: paddle.topk(x, 2, largest=False)[0],
    "method sum": lambda x: x.sum(),
    "method mean": lambda x: x.mean(axis=0),
    "method max": lambda x: x.max(axis=1, keepdim=True),
}
for text, fn in OTHERS.items():
    cases.gradients(text, fn, data(3, 4, seed=3), single=True)
