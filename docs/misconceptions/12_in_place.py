"""Belief: Writing in place is always safe.
Guess: `exp` saved its result. Then the result is overwritten. What does backward use?
Truth: Neither: a version count tells that the saved value is another, and backward refuses.
"""

import paddle

x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
y = paddle.exp(x)
y.add_(paddle.ones_like(y))
try:
    y.sum().backward()
except RuntimeError as error:
    print("refused:", "inplace" in str(error).lower())
assert x.grad is None
