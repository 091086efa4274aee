"""Belief: If shapes do not fit, there is an error.
Guess: `[4, 1]` minus `[4]`: four differences, an error, or something else?
Truth: Both are broadcast to `[4, 4]`: sixteen differences, most of them of strangers. The loss is wrong and nothing
says so.
"""

import paddle

guess = paddle.to_tensor([[1.0], [2.0], [3.0], [4.0]], stop_gradient=False)
truth = paddle.to_tensor([1.0, 2.0, 3.0, 4.0])
difference = guess - truth
loss = (difference**2).mean()
loss.backward()
print(difference.shape, "loss", loss.item())
assert loss.item() == 2.5  # every guess is right, and the loss is not 0
