# hint: It is the neighbour: mind which gradient comes in and which goes out.
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
    return int(np.argmin([sizes[at + 1] / sizes[at + 2] for at in range(len(layers) - 1)]))
