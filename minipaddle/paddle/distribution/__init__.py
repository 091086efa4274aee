"""Distributions: numbers to draw, densities, entropies and divergences, written on operators (``paddle.distribution``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/NAME_en.html. The room is loaded when
somebody asks for it. Begin with ``distribution.py``.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {"distribution": "Distribution Normal Uniform kl_divergence", "discrete": "Bernoulli Categorical"},
)
