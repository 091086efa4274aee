# hint: That layer makes its numbers small, and not its gradient: look at gradients.
import numpy as np


def culprit(layers, x):
    values = [x.detach()]
    values[0].stop_gradient = False
    for layer in layers:
        values.append(layer(values[-1]))
    for value in values:
        value.retain_grads()
    values[-1].sum().backward()
    sizes = [np.linalg.norm(value.numpy()) for value in values]
    return int(np.argmin([sizes[at + 1] / sizes[at] for at in range(len(layers))]))
