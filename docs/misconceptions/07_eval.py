"""Belief: After eval() there are no gradients.
Guess: Does the network of `eval` mode still get gradients?
Truth: `eval` is about dropout and batch norm. Only `no_grad` stops the notes.
"""

import paddle

paddle.seed(0)
net = paddle.nn.Linear(2, 1)
net.eval()
x = paddle.to_tensor([[1.0, 2.0]])
net(x).sum().backward()
print("eval:", net.weight.grad.numpy().ravel())
with paddle.no_grad():
    print("no_grad:", net(x).stop_gradient)
assert net.weight.grad is not None
