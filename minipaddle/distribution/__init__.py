"""Distributions: numbers to draw, densities, entropies and divergences, written on operators (``paddle.distribution``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/NAME_en.html. The room is loaded when
somebody asks for it. Begin with ``distribution.py``, what they share, and ``normal.py``.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.distribution.bernoulli import Bernoulli
from minipaddle.distribution.categorical import Categorical, Multinomial
from minipaddle.distribution.continuous_bernoulli import ContinuousBernoulli
from minipaddle.distribution.counts import Binomial, Geometric, Poisson
from minipaddle.distribution.distribution import Distribution, ExponentialFamily
from minipaddle.distribution.event_transforms import (
    ReshapeTransform,
    SoftmaxTransform,
    StackTransform,
    StickBreakingTransform,
)
from minipaddle.distribution.gamma import Beta, Chi2, Dirichlet, Exponential, Gamma
from minipaddle.distribution.gumbel import Gumbel
from minipaddle.distribution.independent import Independent
from minipaddle.distribution.kl import kl_divergence, register_kl
from minipaddle.distribution.lkj_cholesky import LKJCholesky
from minipaddle.distribution.location import Cauchy, Laplace, StudentT
from minipaddle.distribution.multivariate_normal import MultivariateNormal
from minipaddle.distribution.normal import LogNormal, Normal
from minipaddle.distribution.transform import (
    AbsTransform,
    AffineTransform,
    ChainTransform,
    ExpTransform,
    IndependentTransform,
    PowerTransform,
    SigmoidTransform,
    TanhTransform,
    Transform,
)
from minipaddle.distribution.transformed_distribution import TransformedDistribution
from minipaddle.distribution.uniform import Uniform
from minipaddle.names.missing import missing

__all__ = [
    "AbsTransform", "AffineTransform", "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "ChainTransform",
    "Chi2", "ContinuousBernoulli", "Dirichlet", "Distribution", "ExpTransform", "Exponential", "ExponentialFamily",
    "Gamma", "Geometric", "Gumbel", "Independent", "IndependentTransform", "LKJCholesky", "Laplace", "LogNormal",
    "Multinomial", "MultivariateNormal", "Normal", "Poisson", "PowerTransform", "ReshapeTransform",
    "SigmoidTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "StudentT", "TanhTransform",
    "Transform", "TransformedDistribution", "Uniform", "kl_divergence", "register_kl",
]  # fmt: skip

guard_all(globals())
__getattr__ = missing(__name__, __all__)
