"""paddle.distribution.ContinuousBernoulli and LKJCholesky: moments, densities, quantiles, draws and gradients."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, raises

cases = Family("distributions_rare")
ContinuousBernoulli = paddle.distribution.ContinuousBernoulli
LKJCholesky = paddle.distribution.LKJCholesky
PROBS = [0.0, 0.2, 0.4995, 0.5, 0.501, 0.8, 1.0]
VALUES = [0.1, 0.0, 0.3, 0.9, 1.0, 0.6, 1.0]


def tensor(values, dtype="float32"):
    made = paddle.to_tensor(values, dtype=dtype)
    made.stop_gradient = False
    return made


ASKED = {
    "mean": lambda one: one.mean,
    "variance": lambda one: one.variance,
    "entropy": lambda one: one.entropy(),
    "log_prob": lambda one: one.log_prob(paddle.to_tensor(VALUES)),
    "prob": lambda one: one.prob(paddle.to_tensor(VALUES)),
    "cdf": lambda one: one.cdf(paddle.to_tensor(VALUES)),
    "icdf": lambda one: one.icdf(paddle.to_tensor(VALUES)),
}


def answer(ask, dtype):
    return ask(ContinuousBernoulli(tensor(PROBS, dtype)))


def slope(ask):
    probs = tensor(PROBS[1:6], "float64")
    values = paddle.to_tensor(VALUES[1:6], "float64")
    one = ContinuousBernoulli(probs)
    found = getattr(one, ask)
    found = found(values) if ask in ("log_prob", "cdf", "icdf") else found() if callable(found) else found
    found.sum().backward()
    return probs.grad


for name, ask in ASKED.items():
    cases.add(f"{name} float32", answer, ask, "float32", tolerance=2e-5)
    cases.add(f"{name} float64", answer, ask, "float64", tolerance=1e-9)
for name in ("mean", "variance", "entropy", "log_prob", "cdf", "icdf"):
    cases.add(f"{name} slope", slope, name, tolerance=1e-6)


@cases
def shapes():
    one, few = ContinuousBernoulli(0.3), ContinuousBernoulli(tensor([[0.2], [0.7]]), lims=(0.1, 0.9))
    return [
        list(one.batch_shape),
        list(few.batch_shape),
        list(few.event_shape),
        one.mean,
        few.mean,
        few.variance,
    ]


@cases
def draws():
    paddle.seed(7)
    one = ContinuousBernoulli(tensor([0.2, 0.5, 0.9]))
    drawn = one.sample([2])
    smooth = one.rsample([4])
    smooth.sum().backward()
    return [drawn, drawn.stop_gradient, smooth, one.sample(), ContinuousBernoulli(0.3).sample((2,))]


@cases
def wrong_shapes():
    return raises(lambda: ContinuousBernoulli(0.3).sample(3), "must be Sequence")


@cases
def divergence():
    probs, others = tensor([0.2, 0.8, 0.5]), tensor([0.7, 0.5, 0.5])
    found = ContinuousBernoulli(probs).kl_divergence(ContinuousBernoulli(others))
    same = paddle.distribution.kl_divergence(ContinuousBernoulli(probs), ContinuousBernoulli(others))
    return [found, same]


@cases
def divergence_of_other_shapes():
    one, other = ContinuousBernoulli(0.3), ContinuousBernoulli(tensor([0.7, 0.5]))
    return raises(lambda: one.kl_divergence(other), "should share the same")


CONCENTRATIONS = {
    "a float": lambda: 1.5,
    "a list": lambda: [0.5, 1.0, 4.0],
    "a tensor": lambda: tensor([1.0, 2.5]),
    "float64": lambda: tensor([1.0, 2.5], "float64"),
}


def triangles(dim, method, concentration):
    """Draws in up to three shapes: above 16 numbers Paddle places those of "cvine" by a sort that is not stable."""
    paddle.seed(7)
    one = LKJCholesky(dim, concentration(), method)
    each = dim * (dim - 1) // 2 * int(np.prod(one.batch_shape))
    shapes = [shape for shape in ((), [2], (2, 3)) if method == "onion" or each * int(np.prod(shape)) <= 16]
    drawn = [one.sample(shape) for shape in shapes]
    return [list(one.batch_shape), list(one.event_shape), *drawn, one.sample().stop_gradient]


def triangle_density(dim, concentration):
    """Densities at some triangles, and what reaches the triangles."""
    dtype = "float64" if concentration == "float64" else "float32"
    rows = [[1.0 + (3 * i + j) % 4 for j in range(dim)] for i in range(dim)]
    value = tensor(rows, dtype)
    triangle = paddle.tril(value)
    triangle = triangle / paddle.norm(triangle, axis=-1, keepdim=True)
    found = LKJCholesky(dim, CONCENTRATIONS[concentration]()).log_prob(triangle)
    found.sum().backward()
    return [found, value.grad]


for dim in (2, 3, 4):
    for name, concentration in CONCENTRATIONS.items():
        for method in ("onion", "cvine"):
            cases.add(
                f"LKJCholesky {dim} {method} of {name}", triangles, dim, method, concentration, tolerance=2e-5
            )
        cases.add(f"LKJCholesky {dim} density of {name}", triangle_density, dim, name, tolerance=2e-5)


@cases
def triangles_refused():
    return [
        raises(lambda: LKJCholesky(1), "Expected dim greater than or equal to 2"),
        raises(lambda: LKJCholesky(2.5), "Expected dim to be an integer"),
        raises(lambda: LKJCholesky(3, -1.0), "must be positive"),
        raises(lambda: LKJCholesky(3, 1.0, "peel"), "should be one of"),
        raises(lambda: LKJCholesky(3, 2), "Type of input args must be"),
        raises(lambda: LKJCholesky(3).sample(3), "must be Sequence"),
    ]
