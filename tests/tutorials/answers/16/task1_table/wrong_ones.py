# hint: `backward` began with ones, so each row is the sum of all: begin with one result alone.
import numpy as np
import paddle


def table(function, x):
    rows = []
    for _at in range(len(function(paddle.to_tensor(x)))):
        t = paddle.to_tensor(x, stop_gradient=False)
        y = function(t)
        y.backward(paddle.to_tensor(np.ones(len(y))))
        rows.append(t.grad.numpy())
    return np.stack(rows)
