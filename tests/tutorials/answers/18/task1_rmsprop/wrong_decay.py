# hint: `decay` is the share of the old mean that stays.
import numpy as np


def step(w, grad, mean, rate, decay):
    mean = (1 - decay) * mean + decay * grad**2
    return w - rate * grad / (np.sqrt(mean) + 1e-8), mean
