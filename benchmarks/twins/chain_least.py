"""The chain case on the least tape."""

from benchmarks import data
from benchmarks.twins.least import SUM, Tensor, apply, backward


def setup():
    x, w, b = (Tensor(array) for array in data.small())
    w.wants = b.wants = True

    def step():
        w.grad = b.grad = None
        h = x
        for _ in range(500):
            h = h * w
            h = h + b
        backward(apply(SUM, h))
        return w.grad

    return step
