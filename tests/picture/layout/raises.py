"""A shape that does not fit, after some work."""

import paddle

w = paddle.create_parameter([4, 3], "float32")
h = paddle.tanh(paddle.matmul(paddle.ones([2, 4]), w))
paddle.matmul(h, w)
