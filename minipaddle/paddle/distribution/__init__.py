"""Distributions: numbers to draw, densities, entropies and divergences, written on operators (``paddle.distribution``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distribution/NAME_en.html. The room is loaded when
somebody asks for it. Begin with ``distribution.py``, what they share, and ``normal.py``.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "bernoulli": "Bernoulli",
        "categorical": "Categorical",
        "distribution": "Distribution",
        "kl": "kl_divergence",
        "normal": "Normal",
        "uniform": "Uniform",
    },
)
