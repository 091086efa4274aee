"""Distributions: sampling, densities, entropies and divergences, written on operators (``paddle.distribution``).

Every class takes the arguments of Paddle's class of that name. Read first: ``distribution.py``.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {"distribution": "Distribution Normal Uniform kl_divergence", "discrete": "Bernoulli Categorical"},
)
