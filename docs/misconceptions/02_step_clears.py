"""Belief: The optimizer clears the gradients.
Guess: What is the gradient of the second step: 2, or more?
Truth: `step` moves the parameter and leaves `.grad` alone: 2 is added to 2. `clear_grad` is a call of its own.
"""

import paddle

w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(5.0))
optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
for _ in range(2):
    (2 * w).sum().backward()
    print("gradient", w.grad.item())
    optimizer.step()  # and no clear_grad
assert w.grad.item() == 4
