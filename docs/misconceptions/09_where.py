"""Belief: where() protects from a bad branch.
Guess: The bad branch is not chosen. Is the gradient a number?
Truth: The branch that is not chosen gets gradient 0, and 0 times infinity is NaN. Make its input harmless, too.
"""

import paddle

x = paddle.to_tensor([0.0, 4.0], stop_gradient=False)
y = paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))
y.sum().backward()
print("bad", x.grad.numpy())
bad = x.grad.isnan().numpy().any()
x.clear_grad()
safe = paddle.where(x > 0, x, paddle.ones_like(x))
paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x)).sum().backward()
print("good", x.grad.numpy())
assert bad
assert not x.grad.isnan().numpy().any()
