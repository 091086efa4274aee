"""Distributions: numbers to draw, densities, entropies and divergences, written on operators (``paddle.distribution``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/NAME_en.html. The room is loaded when
somebody asks for it. Begin with ``distribution.py``, what they share, and ``normal.py``.
"""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "bernoulli": "Bernoulli",
        "categorical": "Categorical Multinomial",
        "continuous_bernoulli": "ContinuousBernoulli",
        "counts": "Binomial Geometric Poisson",
        "distribution": "Distribution ExponentialFamily",
        "event_transforms": "ReshapeTransform SoftmaxTransform StackTransform StickBreakingTransform",
        "gamma": "Beta Chi2 Dirichlet Exponential Gamma",
        "gumbel": "Gumbel",
        "independent": "Independent",
        "kl": "kl_divergence register_kl",
        "lkj_cholesky": "LKJCholesky",
        "location": "Cauchy Laplace StudentT",
        "multivariate_normal": "MultivariateNormal",
        "normal": "LogNormal Normal",
        "transform": """AbsTransform AffineTransform ChainTransform ExpTransform IndependentTransform
        PowerTransform SigmoidTransform TanhTransform Transform""",
        "transformed_distribution": "TransformedDistribution",
        "uniform": "Uniform",
    },
)
