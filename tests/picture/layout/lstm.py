"""Cells of an LSTM, three steps."""

import paddle
from paddle import nn

paddle.seed(3)

cell = nn.LSTMCell(2, 3)
h = c = paddle.zeros([1, 3])
for _ in range(3):
    h, (h, c) = cell(paddle.ones([1, 2]), (h, c))
h.sum().backward()
