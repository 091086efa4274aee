"""Reductions, sorting and scans: axis forms, keepdim, values and gradients."""

from itertools import product

import numpy as np

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

OTHERS = cases.table("others", globals())
for text, fn in OTHERS.items():
    cases.gradients(text, fn, data(3, 4, seed=3), single=True)
