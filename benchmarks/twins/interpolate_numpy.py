"""The interpolate case by hand: between two pixels lie two new ones, at a quarter and at three."""

import numpy as np

from benchmarks import data


def larger(x):
    """Make the last axis twice as long."""
    out = np.empty((*x.shape[:-1], x.shape[-1], 2), x.dtype)
    out[..., 0] = 0.75 * x
    out[..., 1:, 0] += 0.25 * x[..., :-1]
    out[..., 0, 0] += 0.25 * x[..., 0]
    out[..., 1] = 0.75 * x
    out[..., :-1, 1] += 0.25 * x[..., 1:]
    out[..., -1, 1] += 0.25 * x[..., -1]
    return out.reshape(*x.shape[:-1], -1)


def back(d):
    """Give the gradient of that back."""
    pairs = d.reshape(*d.shape[:-1], -1, 2)
    out = 0.75 * (pairs[..., 0] + pairs[..., 1])
    out[..., :-1] += 0.25 * pairs[..., 1:, 0]
    out[..., 0] += 0.25 * pairs[..., 0, 0]
    out[..., 1:] += 0.25 * pairs[..., :-1, 1]
    out[..., -1] += 0.25 * pairs[..., -1, 1]
    return out


def setup():
    images = data.images()

    def step():
        wide = larger(images)
        whole = larger(np.ascontiguousarray(wide.swapaxes(-1, -2)))
        whole.sum()
        down = back(np.ones_like(whole))
        return back(np.ascontiguousarray(down.swapaxes(-1, -2))).sum()

    return step
