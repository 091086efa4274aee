import numpy as np
import paddle


def table(function, x):
    rows = []
    for at in range(len(function(paddle.to_tensor(x)))):
        t = paddle.to_tensor(x, stop_gradient=False)
        y = function(t)
        y.backward(paddle.to_tensor(np.eye(len(y))[at]))
        rows.append(t.grad.numpy())
    return np.stack(rows)
