"""Belief: A tensor that I made has a gradient.
Guess: Which of the two has one?
Truth: A tensor of data stops gradients; only `stop_gradient=False` (or a parameter) asks for one.
"""

import paddle

x = paddle.to_tensor([1.0, 2.0])
w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
(x * w).sum().backward()
print("x", x.grad, "w", w.grad.numpy())
assert x.grad is None
