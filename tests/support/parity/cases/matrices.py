"""``paddle.linalg``: values, gradients, dtypes and errors.

Eigenvectors and singular vectors have a sign that LAPACK chooses: their squares are compared, and products in which
the sign is lost.
"""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen

cases = Family("matrices")
L = paddle.linalg

PLAIN = data(3, 3) + 2 * np.eye(3)
BATCH = data(2, 3, 3) + 2 * np.eye(3)
SQUARE = PLAIN @ PLAIN.T + np.diag([1.0, 2.0, 4.0])
TALL, WIDE = data(4, 3, seed=5) + np.eye(4, 3), data(2, 3, seed=6) + np.eye(2, 3)
RIGHT = data(3, 2, seed=7)

ONE = {"inv": L.inv, "inverse": paddle.inverse, "det": L.det, "slogdet": L.slogdet, "qr": L.qr}
for name, fn in ONE.items():
    cases.gradients(name, fn, PLAIN, single=True)
for name in ("inv", "det", "slogdet", "qr"):
    cases.gradients(f"{name} of a batch", ONE[name], BATCH)
for what, array in (("high", TALL), ("wide", WIDE)):
    cases.gradients(f"qr of a {what} one", L.qr, array)

SYMMETRIC = cases.table("symmetric", globals())
for name, fn in SYMMETRIC.items():
    cases.gradients(f"symmetric {name}", fn, SQUARE, single=True)


def singular(x, **options):
    u, s, vh = L.svd(x, **options)
    few = s.shape[-1]
    return [
        paddle.square(u[..., :few]),
        s,
        paddle.square(vh[..., :few, :]),
        (u[..., :few] * s.unsqueeze(-2)) @ vh[..., :few, :],
    ]


for name, array in (("square", PLAIN), ("high", TALL), ("wide", WIDE), ("batch", BATCH)):
    cases.gradients(f"svd {name}", singular, array, single=name == "square")
    cases.add(f"svd {name} with full matrices", lambda x: singular(frozen(x), full_matrices=True)[:3], array)
cases.add("shapes of full svd", lambda: [list(one.shape) for one in L.svd(frozen(TALL), full_matrices=True)])
cases.add(
    "qr complete", lambda: [L.qr(frozen(TALL), mode="complete")[0].shape[1], L.qr(frozen(TALL), mode="r")]
)

TWO = cases.table("two", globals())
for name, (fn, x, y) in TWO.items():
    cases.gradients(name, fn, x, y, single=True)
NORMS = {
    **{
        f"norm {p}": lambda x, p=p: L.norm(x, p)
        for p in (None, "fro", "nuc", 2, 1, 0.5, 3, 0, np.inf, -np.inf)
    },
    **{
        f"norm {p} of matrices": lambda x, p=p: L.norm(x, p, axis=[0, 1])
        for p in (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)
    },
    "norm along 1": lambda x: L.norm(x, 2, axis=1, keepdim=True),
}
for name, fn in NORMS.items():
    cases.gradients(name, fn, WIDE, tolerance=1e-6)
