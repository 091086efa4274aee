"""Belief: Whatever is computed can be learned through.
Guess: What gradient comes through `sign`, and what through `argmax`?
Truth: A step is flat, so its gradient is 0 everywhere; an index has none at all.
"""

import paddle

x = paddle.to_tensor([0.5, -2.0], stop_gradient=False)
paddle.sign(x).sum().backward()
print("sign", x.grad.numpy(), "argmax stops:", paddle.argmax(x).stop_gradient)
assert not x.grad.numpy().any()
assert paddle.argmax(x).stop_gradient
