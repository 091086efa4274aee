"""paddle.distribution: draws, densities, entropies, divergences and their gradients."""

import paddle

from tests.support.parity.kit import Family, raises

cases = Family("distributions")
D = paddle.distribution


def tensor(values, dtype="float32"):
    return paddle.to_tensor(values, dtype=dtype)


A, B = [0.3, 0.8, 1.5], [0.6, 2.0, 1.1]
MADE = cases.table("made", globals())
VALUES = {"Categorical": tensor([0, 2, 1], "int64"), "Bernoulli": tensor([0.0, 1.0, 1.0])}
CRASH = ("Bernoulli",)
"""Paddle's process dies of a gradient through ``broadcast_tensors`` with one that has none."""
SMOOTH = ("Normal", "Categorical")
"""Where a gradient of the entropy reaches every parameter; where it does not, Paddle may crash."""


def leaves(count):
    made = [tensor(A), tensor(B)][:count]
    for one in made:
        one.stop_gradient = False
    return made


def facts(name):
    """Shapes, moments, entropy, density."""
    make, count = MADE[name]
    one = make(*leaves(count))
    found = {} if name == "Categorical" else {"batch": list(one.batch_shape), "event": list(one.event_shape)}
    value = VALUES.get(name, tensor([0.5, 1.0, 2.0]))
    wanted = [] if name in ("Categorical", "Uniform") else ["mean", "variance"]
    found.update({what: getattr(one, what) for what in wanted})
    found["log_prob"] = one.log_prob(value)
    if name not in ("Uniform", "Categorical"):
        found["prob"] = one.prob(value)
    if name in ("Normal", "Uniform", "Categorical"):
        found["probs"] = one.probs(value)
    found["entropy"] = one.entropy()
    return found


def slopes(name):
    """Gradients of the log density and of the entropy."""
    make, count = MADE[name]
    found = {}
    value = VALUES.get(name, tensor([0.35, 1.0, 2.0]))
    for what in ("log_prob", "entropy")[: 2 if name in SMOOTH else 1]:
        inputs = leaves(count)
        one = make(*inputs)
        result = one.entropy() if what == "entropy" else one.log_prob(value)
        if not result.stop_gradient:
            result.sum().backward()
            found[what] = [leaf.grad for leaf in inputs]
    return found


def drawn(name):
    """Two draws."""
    make, count = MADE[name]
    paddle.seed(7)
    one = make(*leaves(count))
    return [one.sample([2]), one.sample([1, 3])]


def drawn_with_a_gradient(name):
    make, count = MADE[name]
    paddle.seed(7)
    inputs = leaves(count)
    result = make(*inputs).rsample([4])
    result.sum().backward()
    return [result, *[leaf.grad for leaf in inputs]]


for name in MADE:
    cases.add(f"{name} facts", facts, name, tolerance=2e-5)
    if name not in CRASH:
        cases.add(f"{name} slopes", slopes, name, tolerance=2e-5)
    cases.add(f"{name} draws", drawn, name)
cases.add("Normal rsample", drawn_with_a_gradient, "Normal", tolerance=2e-5)

OTHER = (tensor([0.5, 0.9, 1.0]), tensor([0.9, 1.0, 2.0]))


def divergence(name):
    make, count = MADE[name]
    inputs = leaves(count)
    found = D.kl_divergence(make(*inputs), make(*OTHER[:count]))
    if name in CRASH:
        return found
    found.sum().backward()
    return [found, *[leaf.grad for leaf in inputs]]


for name in ("Normal", "Bernoulli", "Categorical"):
    cases.add(f"{name} divergence", divergence, name, tolerance=2e-5)


GIVEN = cases.table("given", globals())


def given(make):
    paddle.seed(7)
    one = make()
    return [list(one.batch_shape), one.entropy(), one.sample(), one.sample([3])]


for name, make in GIVEN.items():
    cases.add(f"given {name}", given, make, tolerance=2e-5)


REFUSALS = cases.table("refusals", globals())
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", raises, call, *words)
