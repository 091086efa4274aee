# hint: The gradient is divided by the root of the mean.


def step(w, grad, mean, rate, decay):
    mean = decay * mean + (1 - decay) * grad**2
    return w - rate * grad / (mean + 1e-8), mean
