"""Belief: Detach changes the value, or nothing.
Guess: The loss is `w * w`, with one factor detached. Is the slope 6 or 3?
Truth: The number is the same, and one of two ways back is cut: half of the slope is left.
"""

import paddle

w = paddle.to_tensor(3.0, stop_gradient=False)
loss = w * w.detach()
loss.backward()
print("loss", loss.item(), "slope", w.grad.item())
assert w.grad.item() == 3
