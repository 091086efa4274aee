# hint: The first layer and the last can be the culprit, too.
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
    return 1 + int(np.argmin([sizes[at] / sizes[at + 1] for at in range(1, len(layers) - 1)]))
