"""A function run twice: eagerly, and as a Program by to_static."""

import numpy as np

from minipaddle import paddle
from minipaddle.paddle.jit import to_static


def leaf(*values):
    """Return a trainable leaf."""
    return paddle.to_tensor(np.array(values), stop_gradient=False)


def both(function, *numbers):
    """Return results and gradients, eagerly and as a Program."""
    found = []
    for one in (function, to_static(function)):
        inputs = [leaf(*each) for each in numbers]
        result = one(*inputs)
        result.sum().backward()
        found.append([result.numpy(), *[each.grad.numpy() for each in inputs if each.grad is not None]])
    return found


def same(function, *numbers):
    """Assert that both ways give the same results and gradients."""
    eager, traced = both(function, *numbers)
    for one, other in zip(eager, traced, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12)
