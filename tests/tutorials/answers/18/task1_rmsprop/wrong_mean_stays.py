# hint: The mean has to move: it is the second result.
import numpy as np


def step(w, grad, mean, rate, decay):
    new = decay * mean + (1 - decay) * grad**2
    return w - rate * grad / (np.sqrt(new) + 1e-8), mean
