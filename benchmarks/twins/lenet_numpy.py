"""The LeNet step by hand: convolutions as one product with all windows, in the order of the book."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks import data

LEARNING_RATE = np.float32(0.05)


def windows(x, size):
    """Return all windows of the images as rows: [N, C, H, W] gives [N, H', W', C * size * size]."""
    views = sliding_window_view(x, (size, size), axis=(2, 3)).transpose(0, 2, 3, 1, 4, 5)
    return views.reshape(*views.shape[:3], -1)


def convolved(x, filters, bias, border=0):
    """Return the convolution [N, F, H', W'], and the windows, which the way back needs."""
    rows = windows(np.pad(x, ((0, 0), (0, 0), (border, border), (border, border))), filters.shape[-1])
    return (rows @ filters.reshape(len(filters), -1).T + bias).transpose(0, 3, 1, 2), rows


def convolved_back(dy, rows, filters):
    """Return the gradients of the filters, of the bias, and of the input, without its border."""
    flat = dy.transpose(0, 2, 3, 1).reshape(-1, len(filters))
    dfilters = (flat.T @ rows.reshape(len(flat), -1)).reshape(filters.shape)
    full = np.pad(dy, ((0, 0), (0, 0), (4, 4), (4, 4)))
    turned = filters[:, :, ::-1, ::-1].transpose(1, 0, 2, 3).reshape(filters.shape[1], -1)
    return dfilters, flat.sum(axis=0), lambda: (windows(full, 5) @ turned.T).transpose(0, 3, 1, 2)


def pooled(x):
    """Return the largest of every 2 x 2, and where it is."""
    n, c, h, w = x.shape
    blocks = (
        x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    )
    place = blocks.argmax(axis=-1)[..., None]
    return np.take_along_axis(blocks, place, -1)[..., 0], place


def pooled_back(dy, place):
    """Return the gradient of what :func:`pooled` was given."""
    n, c, h, w = dy.shape
    blocks = np.zeros((n, c, h, w, 4), dy.dtype)
    np.put_along_axis(blocks, place, dy[..., None], -1)
    return blocks.reshape(n, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, 2 * h, 2 * w)


def gradients(images, labels, weights):
    """Return the loss and the gradients of all weights."""
    F1, c1, F2, c2, W1, b1, W2, b2, W3, b3 = weights
    z1, rows1 = convolved(images, F1, c1, 2)  # [32, 6, 28, 28]
    p1, at1 = pooled(np.maximum(z1, 0))
    z2, rows2 = convolved(p1, F2, c2)  # [32, 16, 10, 10]
    p2, at2 = pooled(np.maximum(z2, 0))
    h0 = p2.reshape(len(p2), -1)
    h1 = np.maximum(h0 @ W1 + b1, 0)
    h2 = np.maximum(h1 @ W2 + b2, 0)
    scores = h2 @ W3 + b3
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    loss = -log_p[np.arange(len(labels)), labels].mean()

    d3 = np.exp(log_p)
    d3[np.arange(len(labels)), labels] -= 1
    d3 /= len(labels)
    d2 = (d3 @ W3.T) * (h2 > 0)
    d1 = (d2 @ W2.T) * (h1 > 0)
    dz2 = pooled_back((d1 @ W1.T).reshape(p2.shape), at2) * (z2 > 0)
    dF2, dc2, of_input = convolved_back(dz2, rows2, F2)
    dF1, dc1, _ = convolved_back(pooled_back(of_input(), at1) * (z1 > 0), rows1, F1)
    dense = h0.T @ d1, d1.sum(axis=0), h1.T @ d2, d2.sum(axis=0), h2.T @ d3, d3.sum(axis=0)
    return loss, (dF1, dc1, dF2, dc2, *dense)


def setup():
    pixels, labels = data.digits(32)
    images, weights = pixels.reshape(32, 1, 28, 28), data.lenet_weights()

    def step():
        loss, found = gradients(images, labels, weights)
        for weight, gradient in zip(weights, found):
            weight -= LEARNING_RATE * gradient
        return loss

    return step
