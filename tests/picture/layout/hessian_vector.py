"""A Hessian times a vector: the gradient of a gradient's product with it."""

import paddle

w = paddle.to_tensor([1.0, 3.0], stop_gradient=False)
v = paddle.to_tensor([0.5, -1.0])
loss = paddle.exp(w).sum() * paddle.tanh(w).prod()
(slopes,) = paddle.grad(loss, w, create_graph=True)
(product,) = paddle.grad((slopes * v).sum(), w)
