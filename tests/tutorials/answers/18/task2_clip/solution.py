import numpy as np


def clipped(grads, limit):
    length = np.sqrt(sum((grad**2).sum() for grad in grads))
    return [grad * min(1.0, limit / length) for grad in grads]
