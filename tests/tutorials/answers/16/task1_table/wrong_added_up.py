# hint: The passes are added up in `.grad`: clear it before each.
import numpy as np
import paddle


def table(function, x):
    rows, t = [], paddle.to_tensor(x, stop_gradient=False)
    for at in range(len(function(paddle.to_tensor(x)))):
        y = function(t)
        y.backward(paddle.to_tensor(np.eye(len(y))[at]))
        rows.append(t.grad.numpy().copy())
    return np.stack(rows)
