"""The MLP step by hand: the arithmetic of the case, in the order of the book, and nothing else."""

import numpy as np

from benchmarks import data

LEARNING_RATE = np.float32(0.1)


def forward(x, labels, W1, b1, W2, b2):
    """Return the loss and what the way back needs of the hidden layer and of the probabilities."""
    hidden = np.maximum(x @ W1 + b1, 0)  # [64, 256]
    logits = hidden @ W2 + b2  # [64, 10]
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    loss = -log_p[np.arange(len(labels)), labels].mean()
    return loss, hidden, log_p


def gradients(x, labels, W2, hidden, log_p):
    """Return the gradients of W1, b1, W2, b2."""
    dlogits = np.exp(log_p)  # [64, 10]
    dlogits[np.arange(len(labels)), labels] -= 1
    dlogits /= len(labels)
    dhidden = (dlogits @ W2.T) * (hidden > 0)  # [64, 256]
    return x.T @ dhidden, dhidden.sum(axis=0), hidden.T @ dlogits, dlogits.sum(axis=0)


def setup():
    images, labels = data.digits(64)
    weights = data.mlp_weights()

    def step():
        loss, hidden, log_p = forward(images, labels, *weights)
        for weight, gradient in zip(weights, gradients(images, labels, weights[2], hidden, log_p)):
            weight -= LEARNING_RATE * gradient
        return loss

    return step
