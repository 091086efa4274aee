"""Belief: Every tensor has a gradient after backward.
Guess: `h` lies between `w` and the loss. What is `h.grad`?
Truth: The gradient of `h` was computed and passed on, and not kept: `None`. `retain_grads` keeps it.
"""

import paddle

w = paddle.to_tensor(3.0, stop_gradient=False)
h = w * 2
kept = w * 2
kept.retain_grads()
(h * h + kept).backward()
print("w", w.grad.item(), "h", h.grad, "kept", kept.grad.item())
assert h.grad is None
