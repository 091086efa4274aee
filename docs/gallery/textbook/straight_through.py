"""A straight-through estimator: rounded on the way there, passed through on the way back."""

import paddle


class Round(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return paddle.round(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


x = paddle.to_tensor(1.7, stop_gradient=False)
q = Round.apply(x)
d = q - 3
L = d**2
L.backward()
