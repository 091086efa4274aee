"""paddle.distribution: draws, densities, entropies, divergences and their gradients."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, raises

cases = Family("distributions")
D = paddle.distribution


def tensor(values, dtype="float32"):
    return paddle.to_tensor(values, dtype=dtype)


A, B = [0.3, 0.8, 1.5], [0.6, 2.0, 1.1]
MADE = {
    "Normal": (lambda a, b: D.Normal(a, b), 2),
    "LogNormal": (lambda a, b: D.LogNormal(a, b), 2),
    "Uniform": (lambda a, b: D.Uniform(a, a + b), 2),
    "Bernoulli": (lambda a: D.Bernoulli(a / 2), 1),
    "Categorical": (lambda a: D.Categorical(a), 1),
    "Multinomial": (lambda a: D.Multinomial(5, a), 1),
    "Beta": (lambda a, b: D.Beta(a, b), 2),
    "Gamma": (lambda a, b: D.Gamma(a, b), 2),
    "Chi2": (lambda a: D.Chi2(a), 1),
    "Exponential": (lambda a: D.Exponential(a), 1),
    "Dirichlet": (lambda a: D.Dirichlet(a), 1),
    "Laplace": (lambda a, b: D.Laplace(a, b), 2),
    "Gumbel": (lambda a, b: D.Gumbel(a, b), 2),
    "Cauchy": (lambda a, b: D.Cauchy(a, b), 2),
    "StudentT": (lambda a, b: D.StudentT(a + 2, a, b), 2),
    "Geometric": (lambda a: D.Geometric(a / 2), 1),
    "Poisson": (lambda a: D.Poisson(a), 1),
    "Binomial": (lambda a: D.Binomial(tensor([7, 3, 4], "int32"), a / 2), 1),
}
VALUES = {
    "Categorical": tensor([0, 2, 1], "int64"), "Multinomial": tensor([1.0, 0.0, 4.0]),
    "Dirichlet": tensor([0.2, 0.3, 0.5]), "Beta": tensor([0.2, 0.3, 0.5]), "Bernoulli": tensor([0.0, 1.0, 1.0]),
    "Geometric": tensor([0.0, 2.0, 1.0]), "Poisson": tensor([0.0, 2.0, 5.0]), "Binomial": tensor([0.0, 2.0, 1.0]),
}  # fmt: skip
CRASH = ("Laplace", "Cauchy", "Bernoulli", "Binomial")
"""Paddle's process dies of a gradient through ``broadcast_tensors`` with one that has none."""
SMOOTH = ("Normal", "Gamma", "Exponential", "Dirichlet", "Categorical")
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
    if name != "Cauchy":
        found.update({what: getattr(one, what) for what in wanted})
    if name not in ("Geometric",):
        found["log_prob"] = one.log_prob(value)
    if name not in ("Uniform", "Categorical", "Geometric"):
        found["prob"] = one.prob(value)
    if name in ("Normal", "Uniform", "Categorical", "LogNormal"):
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
    return [one.sample([2]), one.sample([1, 3]) if name != "Multinomial" else None]


def drawn_with_a_gradient(name):
    make, count = MADE[name]
    paddle.seed(7)
    inputs = leaves(count)
    result = make(*inputs).rsample([4])
    result.sum().backward()
    return [result, *[leaf.grad for leaf in inputs]]


for name in MADE:
    cases.add(f"{name} facts", facts, name, tolerance=2e-5)
    if name not in CRASH and name not in ("StudentT", "Multinomial", "Poisson", "Geometric"):
        cases.add(f"{name} slopes", slopes, name, tolerance=2e-5)
    cases.add(f"{name} draws", drawn, name)
for name in ("Normal", "Bernoulli", "Exponential", "Laplace", "Gumbel", "Cauchy", "LogNormal"):
    cases.add(f"{name} rsample", drawn_with_a_gradient, name, tolerance=2e-5)

OTHER = (tensor([0.5, 0.9, 1.0]), tensor([0.9, 1.0, 2.0]))


def divergence(name):
    make, count = MADE[name]
    inputs = leaves(count)
    found = D.kl_divergence(make(*inputs), make(*OTHER[:count]))
    if name in CRASH:
        return found
    found.sum().backward()
    return [found, *[leaf.grad for leaf in inputs]]


for name in ("Normal", "LogNormal", "Bernoulli", "Categorical", "Beta", "Gamma", "Exponential", "Dirichlet", "Laplace",
             "Cauchy", "Geometric", "Poisson", "Binomial"):  # fmt: skip
    cases.add(f"{name} divergence", divergence, name, tolerance=2e-5)


@cases
def distribution_functions():
    value = tensor([0.1, 0.5, 0.9])
    return {
        "Laplace": [D.Laplace(tensor(A), tensor(B)).cdf(value), D.Laplace(tensor(A), tensor(B)).icdf(value)],
        "Exponential": [D.Exponential(tensor(A)).cdf(value), D.Exponential(tensor(A)).icdf(value)],
        "Gumbel": [D.Gumbel(tensor(A), tensor(B)).cdf(value)],
        "Cauchy": [D.Cauchy(tensor(A), tensor(B)).cdf(value)],
        "Bernoulli": [D.Bernoulli(tensor([0.2, 0.5, 0.7])).cdf(tensor([-1.0, 0.5, 1.0]))],
        "Geometric": [
            D.Geometric(tensor([0.2, 0.5, 0.7])).cdf(2),
            D.Geometric(tensor([0.2, 0.5, 0.7])).pmf(1),
        ],
    }


GIVEN = {
    "floats": lambda: D.Normal(0.5, 2.0),
    "integers": lambda: D.Normal(0, 3),
    "lists": lambda: D.Normal([1.0, 2.0], [3.0, 4.0]),
    "arrays": lambda: D.Normal(np.array([1.0, 2.0]), np.array([3.0, 4.0])),
    "float32 array": lambda: D.Normal(np.array([1.0, 2.0], "float32"), 2.0),
    "complex": lambda: D.Normal(1 + 2j, 2.0),
    "uniform of floats": lambda: D.Uniform(0.5, 2.0),
    "uniform of arrays": lambda: D.Uniform(np.array([1.0, 2.0]), np.array([3.0, 4.0])),
    "bernoulli of a float": lambda: D.Bernoulli(0.3),
    "exponential of a float": lambda: D.Exponential(0.5),
    "laplace of numbers": lambda: D.Laplace(0, 2.0),
    "poisson of a number": lambda: D.Poisson(3),
    "student of numbers": lambda: D.StudentT(3.0, 0.5, 2.0),
    "beta of floats": lambda: D.Beta(0.5, 0.5),
}


def given(make):
    paddle.seed(7)
    one = make()
    return [list(one.batch_shape), one.entropy(), one.sample(), one.sample([3])]


for name, make in GIVEN.items():
    cases.add(f"given {name}", given, make, tolerance=2e-5)


@cases
def categories_in_rows():
    paddle.seed(7)
    one = D.Categorical(tensor([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]))
    value = tensor([[0, 1], [2, 0]], "int64")
    return [
        one.sample([2, 3]),
        one.probs(value),
        one.log_prob(value),
        one.probs(tensor([2, 0], "int64")),
        one.entropy(),
    ]


@cases
def events():
    paddle.seed(7)
    base = D.Normal(tensor([[0.0, 1.0], [2.0, 3.0]]), tensor([[1.0, 1.0], [0.5, 2.0]]))
    one = D.Independent(base, 1)
    value = tensor([[0.5, 0.5], [1.0, 1.0]])
    shapes = [list(one.batch_shape), list(one.event_shape)]
    return [
        *shapes,
        one.mean,
        one.variance,
        one.log_prob(value),
        one.prob(value),
        one.entropy(),
        one.sample([2]),
    ]


TRANSFORMS = {
    "exp": lambda: D.ExpTransform(),
    "affine": lambda: D.AffineTransform(tensor([1.0, 2.0]), tensor([-3.0, 0.5])),
    "power": lambda: D.PowerTransform(tensor(2.0)),
    "sigmoid": lambda: D.SigmoidTransform(),
    "tanh": lambda: D.TanhTransform(),
    "chain": lambda: D.ChainTransform([D.AffineTransform(tensor(0.5), tensor(2.0)), D.ExpTransform()]),
    "independent": lambda: D.IndependentTransform(D.ExpTransform(), 1),
    "reshape": lambda: D.ReshapeTransform((2,), (1, 2)),
    "stack": lambda: D.StackTransform([D.ExpTransform(), D.TanhTransform()], 0),
    "stick": lambda: D.StickBreakingTransform(),
    "chain of ranks": lambda: D.ChainTransform([D.ExpTransform(), D.ReshapeTransform((2,), (2, 1))]),
}


def transformed(make):
    one = make()
    x = tensor([0.3, 0.6])
    y = one.forward(x)
    shapes = [list(one.forward_shape([3, 2])), list(one.inverse_shape(one.forward_shape([2])))]
    return [
        y,
        one.inverse(y),
        one.forward_log_det_jacobian(x),
        one.inverse_log_det_jacobian(y),
        one(x),
        *shapes,
    ]


for name, make in TRANSFORMS.items():
    cases.add(f"transform {name}", transformed, make, tolerance=2e-5)


@cases
def softmax():
    one = D.SoftmaxTransform()
    return [
        one.forward(tensor([[1.0, 2.0, 3.0]])),
        one.inverse(tensor([0.2, 0.8])),
        list(one.forward_shape([2, 3])),
    ]


MATRIX = [[2.0, 0.5], [0.5, 1.0]]
VECTORS = {
    "covariance": lambda: {"covariance_matrix": tensor(MATRIX)},
    "precision": lambda: {"precision_matrix": tensor(MATRIX)},
    "factor": lambda: {"scale_tril": tensor([[1.5, 0.0], [0.3, 0.7]])},
    "several": lambda: {"covariance_matrix": tensor([MATRIX, [[1.0, 0.2], [0.2, 3.0]]])},
}


def vectors(told):
    paddle.seed(7)
    one = D.MultivariateNormal(tensor([1.0, -2.0]), **told())
    other = D.MultivariateNormal(tensor([0.5, 0.5]), **told())
    shapes = [list(one.batch_shape), list(one.event_shape)]
    found = [*shapes, one.mean, one.variance, one.entropy(), one.sample([3]), one.kl_divergence(other)]
    value = tensor([0.5, 1.5])
    return [*found, one.log_prob(value if not one.batch_shape else tensor([[0.5, 1.5], [1.0, 1.0]]))]


for name, told in VECTORS.items():
    cases.add(f"MultivariateNormal {name}", vectors, told, tolerance=2e-5)


@cases
def slopes_of_vectors():
    loc, matrix = tensor([1.0, -2.0]), tensor(MATRIX)
    loc.stop_gradient = matrix.stop_gradient = False
    D.MultivariateNormal(loc, covariance_matrix=matrix).log_prob(tensor([0.5, 1.5])).backward()
    return [loc.grad, matrix.grad]


@cases
def reshaped_distribution():
    paddle.seed(7)
    one = D.TransformedDistribution(
        D.Normal(paddle.zeros([3, 4]), paddle.ones([3, 4])),
        [D.ReshapeTransform((4,), (2, 2)), D.ExpTransform()],
    )
    shapes = [list(one.batch_shape), list(one.event_shape)]
    return [*shapes, one.sample(), one.log_prob(paddle.full([3, 2, 2], 0.5))]


@cases
def absolute_values():
    one = D.AbsTransform()
    y = tensor([1.0, 2.0])
    return [one.forward(tensor([-1.0, 2.0])), *one.inverse(y), *one.inverse_log_det_jacobian(y)]


@cases
def transformed_distributions():
    paddle.seed(7)
    base = D.Normal(tensor([0.0, 1.0]), tensor([1.0, 2.0]))
    one = D.TransformedDistribution(base, [D.AffineTransform(tensor(1.0), tensor(0.5)), D.ExpTransform()])
    value = tensor([0.7, 2.0])
    other = D.ExpTransform()(base)
    return [list(one.batch_shape), one.sample([2]), one.rsample(), one.log_prob(value), one.prob(value),
            other.log_prob(value), type(other).__name__]  # fmt: skip


@cases
def own_formula():
    class Mine(D.Normal):
        pass

    @D.register_kl(Mine, Mine)
    def formula(p, q):
        return p.loc - q.loc

    one, other = Mine(tensor(3.0), tensor(1.0)), Mine(tensor(1.0), tensor(1.0))
    return [D.kl_divergence(one, other), one.kl_divergence(other)]


REFUSALS = {
    "a tensor and a number": (lambda: D.Normal(tensor(1.0), 2.0), "all arguments should be Tensor"),
    "a string": (lambda: D.Normal("a", 1.0), "Type of input args must be"),
    "an integer": (lambda: D.Exponential(1), "Type of input args must be"),
    "a place": (lambda: D.Laplace("a", 1.0), "Expected type of loc"),
    "a width": (lambda: D.Cauchy(1.0, "a"), "Expected type of scale"),
    "a shape": (lambda: D.Normal(0.0, 1.0).sample(2), "must be Iterable"),
    "count": (lambda: D.Multinomial(0, tensor(A)), "total_count must be int"),
    "chances": (lambda: D.Multinomial(1, tensor(0.5)), "over one dimension"),
    "weights": (lambda: D.Dirichlet(tensor(0.5)), "at least one dimensional"),
    "mean of Cauchy": (lambda: D.Cauchy(0.0, 1.0).mean, "has no mean"),
    "variance of Cauchy": (lambda: D.Cauchy(0.0, 1.0).variance, "has no variance"),
    "chances of Geometric": (lambda: D.Geometric("a"), "Expected type of probs"),
    "count of Geometric": (lambda: D.Geometric(0.5).pmf("a"), "Expected type of k"),
    "degrees of freedom": (lambda: D.StudentT(-1.0, 0.0, 1.0), "should be nonnegative"),
    "Chi2": (lambda: D.Chi2(-1.0), "must be positive"),
    "events of what": (lambda: D.Independent(3, 1), "Expected type of 'base'"),
    "events of too many axes": (lambda: D.Independent(D.Normal(0.0, 1.0), 1), "reinterpreted_batch_rank"),
    "transforms of what": (lambda: D.TransformedDistribution(3, []), "Expected type of 'base'"),
    "transforms": (lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [3]), "must be Transform type"),
    "transform of a number": (lambda: D.ExpTransform().forward(3.0), "Expected 'x' is a Tensor"),
    "slope of absolute values": (
        lambda: D.AbsTransform().forward_log_det_jacobian(tensor(1.0)),
        "non-injective",
    ),
    "no matrix": (lambda: D.MultivariateNormal(tensor([1.0])), "Exactly one of"),
    "a matrix of one axis": (lambda: D.MultivariateNormal(1.0, tensor([1.0])), "at least two-dimensional"),
    "other sizes": (lambda: D.ReshapeTransform((2,), (3,)), "The numel of 'in_event_shape'"),
    "no sizes": (lambda: D.ReshapeTransform(2, 2), "Expected type of 'in_event_shape'"),
    "other event": (lambda: D.ReshapeTransform((2,), (1, 2)).forward_shape((3,)), "Event shape mismatch"),
    "stack of nothing": (lambda: D.StackTransform([]), "Expected 'transforms' is Sequence"),
    "stack of other sizes": (
        lambda: D.StackTransform([D.ExpTransform()]).forward(tensor([1.0, 2.0])),
        "Input size",
    ),
    "divergence of two kinds": (lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Laplace(0.0, 1.0)),),
    "formula of what": (lambda: D.register_kl(int, D.Normal), "subclass of Distribution"),
}
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", raises, call, *words)
