"""Belief: Sum or mean, the gradient is the same.
Guess: Eight rows instead of four: does the gradient of `w` grow, shrink or stay?
Truth: With `sum` it doubles, with `mean` it stays: a learning rate belongs to its reduction.
"""

import paddle

w = paddle.to_tensor(1.0, stop_gradient=False)
found = {}
for rows in (4, 8):
    for name in ("sum", "mean"):
        getattr(w * paddle.ones([rows]), name)().backward()
        found[name, rows] = w.grad.item()
        w.clear_grad()
print(found)
assert found["sum", 8] == 2 * found["sum", 4]
assert found["mean", 8] == found["mean", 4]
