"""``paddle.linalg``: values, gradients, dtypes and errors.

Eigenvectors and singular vectors have a sign that LAPACK chooses: their squares are compared, and products in which
the sign is lost.
"""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, raises

cases = Family("matrices")
L = paddle.linalg

PLAIN = data(3, 3) + 2 * np.eye(3)
BATCH = data(2, 3, 3) + 2 * np.eye(3)
SQUARE = PLAIN @ PLAIN.T + np.diag([1.0, 2.0, 4.0])
TALL, WIDE = data(4, 3, seed=5) + np.eye(4, 3), data(2, 3, seed=6) + np.eye(2, 3)
RIGHT = data(3, 2, seed=7)

ONE = {
    "inv": L.inv,
    "inverse": paddle.inverse,
    "det": L.det,
    "slogdet": L.slogdet,
    "pinv": L.pinv,
    **{f"matrix_power {n}": lambda x, n=n: L.matrix_power(x, n) for n in (-2, -1, 0, 1, 2, 5)},
    "qr": L.qr,
}
for name, fn in ONE.items():
    cases.gradients(name, fn, PLAIN, single=True)
for name in ("inv", "det", "slogdet", "qr", "pinv", "matrix_power 2"):
    cases.gradients(f"{name} of a batch", ONE[name], BATCH)
for name in ("pinv", "qr"):
    for what, array in (("high", TALL), ("wide", WIDE)):
        cases.gradients(f"{name} of a {what} one", ONE[name], array)

SYMMETRIC = {
    "cholesky": L.cholesky,
    "cholesky upper": lambda x: L.cholesky(x, upper=True),
    "eigvalsh": L.eigvalsh,
    "eigvalsh of the upper half": lambda x: L.eigvalsh(x, "U"),
    "eigh": lambda x: [L.eigh(x)[0], paddle.square(L.eigh(x)[1])],
    "eigh of the upper half": lambda x: paddle.square(L.eigh(x, UPLO="U")[1]),
    "pinv": lambda x: L.pinv(x, hermitian=True),
}
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

TWO = {
    "solve": (L.solve, PLAIN, RIGHT),
    "solve a vector": (L.solve, PLAIN, data(3)),
    "solve a batch": (L.solve, BATCH, data(2, 3, 2)),
    "solve, one for all": (L.solve, PLAIN, data(2, 3, 2)),
    "solve vectors": (L.solve, BATCH, data(2, 3)),
    "solve from the right": (lambda x, y: L.solve(x, y, left=False), PLAIN, data(2, 3)),
    "triangular_solve": (L.triangular_solve, PLAIN, RIGHT),
    "triangular_solve lower": (lambda x, y: L.triangular_solve(x, y, upper=False), PLAIN, RIGHT),
    "triangular_solve transposed": (lambda x, y: L.triangular_solve(x, y, transpose=True), PLAIN, RIGHT),
    "triangular_solve of ones": (lambda x, y: L.triangular_solve(x, y, unitriangular=True), PLAIN, RIGHT),
    "triangular_solve of a batch": (L.triangular_solve, BATCH, data(2, 3, 2)),
    "cross": (L.cross, data(2, 3), data(2, 3, seed=2)),
    "cross along 0": (lambda x, y: paddle.cross(x, y, axis=0), data(3, 3), data(3, 3, seed=2)),
}
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


def complex_numbers():
    z = frozen(PLAIN + 1j * data(3, 3, seed=2))
    values = [L.inv(z), L.det(z), L.slogdet(z), L.matrix_power(z, 3), L.triangular_solve(z, z)]
    return [[one.numpy().real, one.numpy().imag] for one in values] + [L.eigvalsh(z), L.svd(z)[1]]


def methods():
    x, y = frozen(SQUARE), frozen(RIGHT)
    names = ("inverse", "cholesky", "eigvalsh", "slogdet", "pinv")
    found = {name: getattr(x, name)() for name in names}
    found |= {"solve": x.solve(y), "power": x.matrix_power(2), "norm": x.norm("nuc"), "qr": x.qr()}
    return found | {"cross": x.cross(x + 1)}


def given(shape, dtype="float64"):
    return frozen(np.ones(shape, dtype))


def refused():
    z, r, v, i = frozen(np.zeros((3, 3))), given((2, 3)), given(3), given((2, 2), "int64")
    return {
        "inv singular": raises(lambda: L.inv(z), "Input is not invertible"),
        "inv wide": raises(lambda: L.inv(r), "last two dimensions are expected to be equal"),
        "inv integers": raises(lambda: L.inv(i), "not registered"),
        "inv vector": raises(lambda: L.inv(v), "expected to be no less than 2"),
        "det wide": raises(lambda: L.det(r), "should be square matrix"),
        "slogdet wide": raises(lambda: L.slogdet(r), "should be square matrix"),
        "cholesky": raises(lambda: L.cholesky(z), "Cholesky decomposition was not successful"),
        "cholesky wide": raises(lambda: L.cholesky(r), "last two dimensions must be equal"),
        "eigh wide": raises(lambda: L.eigh(r), "must be batches of square matrices"),
        "eigh vector": raises(lambda: L.eigh(v), "only support >=2 tensor"),
        "eigh half": raises(lambda: L.eigh(z, UPLO="X"), "UPLO must be L or U"),
        "qr mode": raises(lambda: L.qr(r, mode="x"), "unrecognized mode 'x'"),
        "qr vector": raises(lambda: L.qr(v), "rank of input must greater than 2"),
        "svd vector": raises(lambda: L.svd(v), "rank of input must greater than 2"),
        "solve singular": raises(lambda: L.solve(z, z), "Input is not invertible"),
        "solve wide": raises(lambda: L.solve(r, z), "all should be square matrices"),
        "solve sizes": raises(lambda: L.solve(z, r), "width must be equal with matrix Y1's height"),
        "triangular wide": raises(lambda: L.triangular_solve(r, z), "all should be square matrices"),
        "triangular vector": raises(lambda: L.triangular_solve(z, v), "should be >=2"),
        "power singular": raises(lambda: L.matrix_power(z, -1), "Input is not invertible"),
        "power wide": raises(lambda: L.matrix_power(r, 2), "all should be square matrices"),
        "power float": raises(lambda: L.matrix_power(z, 1.5), "must be int, but got float"),
        "norm": raises(lambda: L.norm(r, "abc"), "just support p value", "found abc"),
        "norm 3": raises(lambda: L.norm(r, 3, axis=[0, 1]), "just support p value", "found 3"),
        "cross": raises(lambda: L.cross(given((2, 2)), given((2, 2))), "is equal to 3"),
        "cross axis": raises(lambda: L.cross(z, z, axis=5), "out of range"),
    }
