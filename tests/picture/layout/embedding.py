"""Words, dropout, normalization."""

import paddle
from paddle import nn

paddle.seed(0)
words = nn.Embedding(10, 4)(paddle.to_tensor([[1, 2, 3]]))
y = nn.functional.dropout(nn.LayerNorm(4)(words), 0.5)
nn.functional.softmax(y).max().backward()
