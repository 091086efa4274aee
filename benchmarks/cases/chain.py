"""1,000 small operators in a row, forward and backward: what a call costs when the arithmetic is free."""

import paddle

from benchmarks import data


def setup():
    x, w, b = (paddle.to_tensor(array) for array in data.small())
    w.stop_gradient = b.stop_gradient = False

    def step():
        w.clear_grad()
        b.clear_grad()
        h = x
        for _ in range(500):
            h = h * w
            h = h + b
        h.sum().backward()
        return w.grad

    return step
