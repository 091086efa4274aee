"""The MLP step on the least tape."""

import numpy as np

from benchmarks import data
from benchmarks.twins.least import Tensor, apply, backward

LEARNING_RATE = np.float32(0.1)
FIRST = (lambda x, w: (x @ w, x), lambda dy, x: (None, x.T @ dy))  # of the images nobody wants a gradient
TIMES = (lambda x, w: (x @ w, (x, w)), lambda dy, saved: (dy @ saved[1].T, saved[0].T @ dy))
BIAS = (lambda x, b: (x + b, None), lambda dy, _: (dy, dy.sum(axis=0)))
RELU = (lambda x, _: ((y := np.maximum(x, 0)), y), lambda dy, y: (dy * (y > 0),))


def _loss(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(labels)), labels].mean(), (log_p, labels)


def _slope(dy, saved):
    log_p, labels = saved
    slope = np.exp(log_p)
    slope[np.arange(len(labels)), labels] -= 1
    slope *= dy / np.float32(len(labels))
    return (slope,)


LOSS = (_loss, _slope)


def setup():
    images, labels = data.digits(64)
    x, weights = Tensor(images), [Tensor(weight, wants=True) for weight in data.mlp_weights()]
    w1, b1, w2, b2 = weights

    def step():
        hidden = apply(RELU, apply(BIAS, apply(FIRST, x, w1), b1))
        loss = apply(LOSS, apply(BIAS, apply(TIMES, hidden, w2), b2), labels)
        backward(loss)
        for weight in weights:
            weight.array -= LEARNING_RATE * weight.grad
            weight.grad = None
        return loss.array

    return step
