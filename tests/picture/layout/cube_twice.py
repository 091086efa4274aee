"""The slope of a slope: x * x * x at 2 and 3, where every rule multiplies again."""

import paddle

x = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
(slope,) = paddle.grad((x * x * x).sum(), x, create_graph=True)
slope.sum().backward()
