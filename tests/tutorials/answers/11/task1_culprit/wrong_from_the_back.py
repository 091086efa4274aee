# hint: The walk goes from the last layer to the first: count from the front.
import numpy as np


def culprit(layers, x):
    values = [x.detach()]
    values[0].stop_gradient = False
    for layer in layers:
        values.append(layer(values[-1]))
    for value in values:
        value.retain_grads()
    values[-1].sum().backward()
    sizes = [np.linalg.norm(value.grad.numpy()) for value in values]
    return len(layers) - 1 - int(np.argmin([sizes[at] / sizes[at + 1] for at in range(len(layers))]))
