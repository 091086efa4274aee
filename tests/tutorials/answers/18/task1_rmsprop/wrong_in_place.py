# hint: What came in was written over: make new arrays.
import numpy as np


def step(w, grad, mean, rate, decay):
    mean *= decay
    mean += (1 - decay) * grad**2
    return w - rate * grad / (np.sqrt(mean) + 1e-8), mean
