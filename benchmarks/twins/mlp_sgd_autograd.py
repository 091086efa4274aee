"""The MLP case in HIPS autograd."""

import autograd.numpy as np
from autograd import value_and_grad
from autograd.scipy.special import logsumexp

from benchmarks import data

LEARNING_RATE = np.float32(0.1)


def loss_of(weights, x, labels):
    W1, b1, W2, b2 = weights
    logits = np.dot(np.maximum(np.dot(x, W1) + b1, 0), W2) + b2  # [64, 10]
    log_p = logits - logsumexp(logits, axis=1, keepdims=True)
    return -np.mean(log_p[np.arange(len(labels)), labels])


def setup():
    images, labels = data.digits(64)
    weights = data.mlp_weights()
    loss_and_gradients = value_and_grad(loss_of)

    def step():
        loss, gradients = loss_and_gradients(weights, images, labels)
        for weight, gradient in zip(weights, gradients):
            weight -= LEARNING_RATE * gradient
        return loss

    return step
