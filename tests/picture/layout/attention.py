"""One head of attention."""

import paddle
from paddle import nn

paddle.seed(3)

x = paddle.rand([1, 3, 8])
nn.MultiHeadAttention(8, 2)(x, x, x).mean().backward()
