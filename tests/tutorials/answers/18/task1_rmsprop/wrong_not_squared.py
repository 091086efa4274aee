# hint: It is the squared gradients whose mean is kept.
import numpy as np


def step(w, grad, mean, rate, decay):
    mean = decay * mean + (1 - decay) * grad
    return w - rate * grad / (np.sqrt(np.abs(mean)) + 1e-8), mean
