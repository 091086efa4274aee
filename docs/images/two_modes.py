import sys

import numpy as np
import paddle

X = np.array([[1.0, 2.0]], "float32")
W = np.array([[0.5, -0.25], [0.25, 1.0]], "float32")


def network(x, w):
    return paddle.mean(paddle.tanh(paddle.matmul(x, w)))


mode = sys.argv[1:] or ["eager", "static"]
if "eager" in mode:
    network(paddle.to_tensor(X), paddle.to_tensor(W, stop_gradient=False)).backward()

if "static" in mode:
    paddle.enable_static()
    x, w = (paddle.static.data(name, shape) for name, shape in (("x", [1, 2]), ("w", [2, 2])))
    w.stop_gradient = False
    loss = network(x, w)
    paddle.static.append_backward(loss)
    paddle.static.Executor().run(feed={"x": X, "w": W}, fetch_list=[loss])
