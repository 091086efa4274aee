# hint: The first layer has the smallest gradient because all others shrink it, too: compare within each layer.
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
    return int(np.argmin([sizes[at] for at in range(len(layers))]))
