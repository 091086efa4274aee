"""``paddle.linalg``: values, gradients, dtypes and errors.

Eigenvectors and singular vectors have a sign that LAPACK chooses: their squares are compared, and products in which
the sign is lost.
"""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("matrices")
L = paddle.linalg

PLAIN = data(3, 3) + 2 * np.eye(3)
BATCH = data(2, 3, 3) + 2 * np.eye(3)
LOW = np.tril(data(3, 3, seed=4)) + 2 * np.eye(3)
SQUARE = PLAIN @ PLAIN.T + np.diag([1.0, 2.0, 4.0])
TALL, WIDE = data(4, 3, seed=5) + np.eye(4, 3), data(2, 3, seed=6) + np.eye(2, 3)
RIGHT = data(3, 2, seed=7)

ONE = {
    "inv": L.inv,
    "inverse": paddle.inverse,
    "det": L.det,
    "slogdet": L.slogdet,
    "matrix_exp": L.matrix_exp,
    "matrix_transpose": L.matrix_transpose,
    "pinv": L.pinv,
    "svdvals": L.svdvals,
    "cond": L.cond,
    **{f"cond {p}": lambda x, p=p: L.cond(x, p) for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)},
    **{f"matrix_power {n}": lambda x, n=n: L.matrix_power(x, n) for n in (-2, -1, 0, 1, 2, 5)},
    "lu": lambda x: L.lu(x)[0],
    "triangles": lambda x: L.lu_unpack(*L.lu(x))[1:],
    "solve by lu": lambda x: L.lu_solve(paddle.to_tensor(RIGHT.astype(x.numpy().dtype)), *L.lu(x)),
    "qr": L.qr,
}
for name, fn in ONE.items():
    cases.gradients(name, fn, PLAIN, single="solve by" not in name)
for name in ("inv", "det", "slogdet", "matrix_exp", "svdvals", "lu", "qr", "pinv", "matrix_power 2"):
    cases.gradients(f"{name} of a batch", ONE[name], BATCH)
for name in ("pinv", "svdvals", "lu", "qr", "cond"):
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
    "vecdot": (L.vecdot, data(2, 3), data(2, 3, seed=2)),
    "vecdot along 0": (lambda x, y: paddle.vecdot(x, y, axis=0), data(2, 3), data(2, 3, seed=2)),
    "cross": (L.cross, data(2, 3), data(2, 3, seed=2)),
    "cross along 0": (lambda x, y: paddle.cross(x, y, axis=0), data(3, 3), data(3, 3, seed=2)),
    "multi_dot": (lambda x, y: L.multi_dot([x, y, x]), data(2, 3), data(3, 2, seed=2)),
    "multi_dot of vectors": (lambda x, y: L.multi_dot([x, y, x]), data(3), data(3, 3, seed=2)),
}
for name, (fn, x, y) in TWO.items():
    cases.gradients(name, fn, x, y, single=True)
cases.add(
    "cholesky_solve",
    lambda: [
        L.cholesky_solve(frozen(RIGHT), frozen(LOW)),
        L.cholesky_solve(frozen(RIGHT), frozen(LOW.T.copy()), upper=True),
    ],
)
cases.add(
    "cholesky_inverse",
    lambda: [L.cholesky_inverse(frozen(LOW)), L.cholesky_inverse(frozen(LOW.T.copy()), True)],
)

NORMS = {
    **{
        f"norm {p}": lambda x, p=p: L.norm(x, p)
        for p in (None, "fro", "nuc", 2, 1, 0.5, 3, 0, np.inf, -np.inf)
    },
    **{
        f"norm {p} of matrices": lambda x, p=p: L.norm(x, p, axis=[0, 1])
        for p in (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)
    },
    **{
        f"matrix_norm {p}": lambda x, p=p: L.matrix_norm(x, p)
        for p in ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)
    },
    "matrix_norm of other axes": lambda x: L.matrix_norm(x, "nuc", axis=[1, 0], keepdim=True),
    "matrix_norm kept": lambda x: L.matrix_norm(x, 1, keepdim=True),
    "vector_norm": L.vector_norm,
    "vector_norm 3 along 1": lambda x: L.vector_norm(x, 3.0, axis=1, keepdim=True),
    "vector_norm of both": lambda x: L.vector_norm(x, 1, axis=[0, 1]),
    "norm along 1": lambda x: L.norm(x, 2, axis=1, keepdim=True),
}
for name, fn in NORMS.items():
    cases.gradients(name, fn, WIDE, tolerance=1e-6)
cases.add("norms in double", lambda: L.vector_norm(frozen(WIDE.astype("float32")), dtype="float64"))
cases.gradients("norms of a batch", lambda x: L.matrix_norm(x, "nuc", axis=[0, 2]), BATCH)

STATISTICS = {
    "cov": L.cov,
    "cov of columns": lambda x: L.cov(x, rowvar=False),
    "cov by n": lambda x: L.cov(x, ddof=False),
    "corrcoef": L.corrcoef,
    "corrcoef of columns": lambda x: L.corrcoef(x, rowvar=False),
    "cov weighted": lambda x: L.cov(
        x, fweights=paddle.to_tensor([1, 2, 3]), aweights=paddle.to_tensor([0.1, 0.2, 0.5], dtype="float64")
    ),
    "cov repeated": lambda x: L.cov(x, fweights=paddle.to_tensor([1, 2, 3])),
    "cov weighted by n": lambda x: L.cov(
        x, ddof=False, aweights=paddle.to_tensor([0.1, 0.2, 0.5], dtype="float64")
    ),
}
for name, fn in STATISTICS.items():
    cases.gradients(name, fn, data(2, 3, seed=8))
cases.gradients("cov of one variable", L.cov, data(4))
cases.gradients("corrcoef of one variable", L.corrcoef, data(4))


@cases
def any_eigenvalues():
    values, vectors = L.eig(frozen(PLAIN))
    back = (vectors * values) @ L.inv(vectors)
    order = np.lexsort((values.numpy().imag, values.numpy().real))
    sizes = np.abs(vectors.numpy())[:, order]
    found = L.eigvals(frozen(PLAIN.astype("float32")))
    return [
        values.numpy()[order].real,
        values.numpy()[order].imag,
        sizes,
        back.numpy().real,
        str(found.dtype),
    ]


@cases
def gradient_of_eigenvalues():
    x = leaf(PLAIN)
    values, vectors = L.eig(x)
    loss = (paddle.real(values * values)).sum() + (paddle.abs(vectors) ** 4).sum()
    loss.backward()
    return x.grad


@cases
def ranks():
    x = np.array([[1.0, 2, 3], [2, 4, 6], [1, 0, 1]])
    ranks = [L.matrix_rank(frozen(x)), L.matrix_rank(frozen(x), tol=1.0), L.matrix_rank(frozen(BATCH))]
    ranks += [
        L.matrix_rank(frozen(SQUARE), hermitian=True),
        L.matrix_rank(frozen(SQUARE), tol=3.0, hermitian=True),
    ]
    return [
        *ranks,
        L.matrix_rank(frozen(x), tol=frozen(np.array(1.0))),
        L.matrix_rank(frozen(x), atol=0.1, rtol=0.2),
    ]


@cases
def least_squares():
    found = {}
    for driver in (None, "gels", "gelsd", "gelss"):
        parts = L.lstsq(frozen(TALL), frozen(data(4, 2, seed=9)), driver=driver)
        found[str(driver)] = [parts[0], parts[1], parts[3], list(parts[2].shape)]
    return found


@cases
def exchanged_rows():
    both, pivots, infos = L.lu(frozen(data(2, 3, 3)), get_infos=True)
    return [
        both,
        pivots,
        infos,
        *L.lu_unpack(both, pivots),
        L.lu(frozen(np.zeros((2, 2))), get_infos=True)[2],
    ]


@cases
def mirrors():
    x, tau = frozen(data(4, 3, seed=3)), frozen(data(3, seed=4))
    return [
        L.householder_product(x, tau),
        L.ormqr(x, tau, frozen(data(3, 2))),
        L.ormqr(x, tau, frozen(data(4, 2)), transpose=True),
        L.ormqr(x[:3], tau, frozen(data(2, 3)), left=False),
        L.ormqr(x[:3], tau, frozen(data(2, 3)), left=False, transpose=True),
    ]


@cases
def low_rank():
    x = frozen(data(6, 3) @ data(3, 5, seed=2))
    u, s, v = L.svd_lowrank(x, q=3)
    components = L.pca_lowrank(x, q=3)
    return [s, (u * s) @ v.T, components[1], (components[0] * components[1]) @ components[2].T]


@cases
def complex_numbers():
    z = frozen(PLAIN + 1j * data(3, 3, seed=2))
    values = [L.inv(z), L.det(z), L.slogdet(z), L.matrix_power(z, 3), L.triangular_solve(z, z)]
    return [[one.numpy().real, one.numpy().imag] for one in values] + [L.eigvalsh(z), L.svd(z)[1], L.cond(z)]


@cases
def methods():
    x, y = frozen(SQUARE), frozen(RIGHT)
    names = ("inverse", "cholesky", "eigvalsh", "slogdet", "pinv", "cond", "cov", "corrcoef")
    found = {name: getattr(x, name)() for name in names}
    found |= {
        "solve": x.solve(y),
        "power": x.matrix_power(2),
        "norm": x.norm("nuc"),
        "qr": x.qr(),
        "lu": x.lu()[0],
    }
    return found | {
        "transposed": y.matrix_transpose(),
        "cross": x.cross(x + 1),
        "values": x.eigvals().numpy().real.sum(),
    }


def given(shape, dtype="float64"):
    return frozen(np.ones(shape, dtype))


@cases
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
        "eig wide": raises(lambda: L.eig(r), "must be a square matrix"),
        "qr mode": raises(lambda: L.qr(r, mode="x"), "unrecognized mode 'x'"),
        "qr vector": raises(lambda: L.qr(v), "rank of input must greater than 2"),
        "svd vector": raises(lambda: L.svd(v), "rank of input must greater than 2"),
        "lu": raises(lambda: L.lu(r, pivot=False), "lu without pivoting is not implemented"),
        "solve singular": raises(lambda: L.solve(z, z), "Input is not invertible"),
        "solve wide": raises(lambda: L.solve(r, z), "all should be square matrices"),
        "solve sizes": raises(lambda: L.solve(z, r), "width must be equal with matrix Y1's height"),
        "triangular wide": raises(lambda: L.triangular_solve(r, z), "all should be square matrices"),
        "triangular vector": raises(lambda: L.triangular_solve(z, v), "should be >=2"),
        "cholesky_solve": raises(lambda: L.cholesky_solve(z, r), "input Matrix Y should be square matrix"),
        "power singular": raises(lambda: L.matrix_power(z, -1), "Input is not invertible"),
        "power wide": raises(lambda: L.matrix_power(r, 2), "all should be square matrices"),
        "power float": raises(lambda: L.matrix_power(z, 1.5), "must be int, but got float"),
        "one dot": raises(lambda: L.multi_dot([z]), "should > 1"),
        "dots": raises(lambda: L.multi_dot([z, r]), "does not meet the multiplication requirements"),
        "lstsq": raises(lambda: L.lstsq(given((3, 2)), r), "should have same M"),
        "lstsq driver": raises(lambda: L.lstsq(z, z, driver="x"), "Only support valid driver"),
        "norm": raises(lambda: L.norm(r, "abc"), "just support p value", "found abc"),
        "norm 3": raises(lambda: L.norm(r, 3, axis=[0, 1]), "just support p value", "found 3"),
        "matrix_norm 0": raises(lambda: L.matrix_norm(r, 0), "just support p value"),
        "vector_norm": raises(lambda: L.vector_norm(r, "fro"), "only valid p type is int and float"),
        "cond": raises(lambda: L.cond(r, "abc"), "unsupported abc for p"),
        "cond wide": raises(lambda: L.cond(r, 1), "when input is a square matrix"),
        "cross": raises(lambda: L.cross(given((2, 2)), given((2, 2))), "is equal to 3"),
        "cross axis": raises(lambda: L.cross(z, z, axis=5), "out of range"),
        "cov": raises(lambda: L.cov(given((2, 2, 2))), "only support N-D (1<=N<=2) tensor in cov"),
        "corrcoef": raises(
            lambda: L.corrcoef(given((2, 2, 2))), "only support N-D (1<=N<=2) tensor in corrcoef"
        ),
        "weights": raises(lambda: L.cov(r, fweights=paddle.to_tensor([1, 2, -1])), "cannot be negative"),
        "mirrors": raises(lambda: L.householder_product(r, v), "greater than or equal to the columns"),
        "transpose": raises(lambda: L.matrix_transpose(v), "greater than or equal to 2"),
        "pca": raises(lambda: L.pca_lowrank(r, q=7), "must be non-negative integer"),
    }
