"""Belief: I can call backward as often as I like.
Guess: The second call: the same again, twice as much, or an error?
Truth: What the rules had saved was freed by the first pass. `retain_graph=True` keeps it for one more.
Picture: --pass 1
"""

import paddle

w = paddle.to_tensor(3.0, stop_gradient=False)
loss = w * w
loss.backward()
try:
    loss.backward()
except SystemError as error:
    print("refused:", "retain_graph=True" in str(error), "w.grad is", w.grad.item())
assert w.grad.item() == 6
