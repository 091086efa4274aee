"""Belief: Backward replaces the gradient.
Guess: `w` is 3 and the loss `w * w`. What is `w.grad` after two passes?
Truth: Each pass adds to what is there: 6 + 6. `clear_grad` begins anew.
"""

import paddle

w = paddle.to_tensor(3.0, stop_gradient=False)
for _ in range(2):
    (w * w).backward()
print(w.grad.item())
assert w.grad.item() == 12
