"""Functions that are one operator in Paddle: the name of the node that made the result, values and gradients."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data

F = paddle.nn.functional
cases = Family("one_operator")


def whole(function, *arrays):
    """Each result with the node that made it, its numbers, and the gradients of the inputs of floats."""
    tensors = [
        paddle.to_tensor(one, stop_gradient=one.dtype.kind != "f") if isinstance(one, np.ndarray) else one
        for one in arrays
    ]
    found = function(*tensors)
    results = list(found) if isinstance(found, (list, tuple)) else [found]
    names = [one.grad_fn.name() if one.grad_fn is not None else None for one in results]
    weighed = [
        (one * paddle.to_tensor(data(*one.shape, seed=9)).astype(one.dtype)).sum()
        for one in results
        if one.grad_fn is not None
    ]
    sum(weighed[1:], weighed[0]).backward()
    wanted = [one for one in tensors if isinstance(one, paddle.Tensor) and not one.stop_gradient]
    grads = [None if one.grad is None else one.grad.numpy() for one in wanted]
    return names, [one.numpy() for one in results], grads


A, B = data(2, 3, seed=1), data(2, 3, seed=2)
V, W = data(3, seed=3), data(4, seed=4)
IMAGE = data(2, 4, 3, 3, seed=5)

CALLS = cases.table("calls", globals())
for title, (function, *arrays) in CALLS.items():
    cases.add(title, whole, function, *arrays)


ROWS, EDGES = data(3, 2, seed=1), (np.array([0, 1, 2, 0]), np.array([1, 2, 1, 0]))
PLACES = data(4, 1, low=0.2, high=0.9, seed=2)
MORE = cases.table("more", globals())
for title, (function, *arrays) in MORE.items():
    cases.add(title, whole, function, *arrays, tolerance=1e-6)
