"""A colour: an expression over the gradient of what a node makes paints all of them."""

from minipaddle import paddle
from minipaddle.tools.picture.api import graph

x = paddle.to_tensor([[0.5, -2.0], [1.5, 0.25]])
w = paddle.to_tensor([[0.5], [1.0]], stop_gradient=False)
loss = paddle.nn.functional.relu(x @ w).mean()
loss.backward(retain_graph=True)

painted = graph(loss, color_by="py:abs(g).max()")  # g: the gradient of what a node makes
print(painted.text())
