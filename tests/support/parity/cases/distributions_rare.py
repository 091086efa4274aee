"""paddle.distribution.ContinuousBernoulli: moments, densities, quantiles, draws, divergences and their gradients."""

import paddle

from tests.support.parity.kit import Family, raises

cases = Family("distributions_rare")
ContinuousBernoulli = paddle.distribution.ContinuousBernoulli
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
