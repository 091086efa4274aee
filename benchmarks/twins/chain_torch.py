"""The chain case in torch."""

import torch

from benchmarks import data


def setup():
    x, w, b = (torch.tensor(array) for array in data.small())
    w.requires_grad = b.requires_grad = True

    def step():
        w.grad = b.grad = None
        h = x
        for _ in range(500):
            h = h * w
            h = h + b
        h.sum().backward()
        return w.grad

    return step
