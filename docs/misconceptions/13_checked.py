"""Belief: A PyLayer with a wrong backward is an error.
Guess: The rule forgets a factor 2. Who notices?
Truth: Nobody: the number is taken as it is. `minipaddle check 13_checked.py` compares it with the slope.
"""

import paddle
from paddle.autograd import PyLayer


class Square(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return x * dy  # it should be 2 * x * dy


x = paddle.to_tensor(3.0, stop_gradient=False)
Square.apply(x).backward()
print("believed", x.grad.item(), "right", 6.0)
assert x.grad.item() == 3
