"""Distributions of numbers, and of Variables whose first size is not known, in Programs."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed, run
from tests.support.parity.kit import Family, data

cases = Family("static_distributions")
D = paddle.distribution

CALLS = """
D.Normal(0.0, 1.0).log_prob(x)
D.Normal(0.0, 1.0).entropy()
D.Normal([0.0, 1.0], [1.0, 2.0]).sample([2])
D.Normal(np.zeros(1, 'float32'), np.ones(1, 'float32')).entropy()
D.Normal(0.0, 1.0).kl_divergence(D.Normal(1.0, 2.0))
D.Uniform(0.0, 2.0).log_prob(p)
D.Uniform(0.0, 1.0).sample([3])
"""


def outcome(text):
    """Numbers of a call."""
    held = {"x": data(3, 4), "p": data(3, 4, seed=2, low=0.1, high=0.9)}
    made = {name: feed(name, -1, 4) for name in held}
    paddle.seed(7)
    out = eval(text, {"D": D, "np": np, **made})
    return run([out], feed={name: array.astype("float32") for name, array in held.items()})


for line in filter(None, CALLS.splitlines()):
    cases.add(line, outcome, line)
