"""Two layers of a transformer's encoder."""

import paddle
from paddle import nn

paddle.seed(3)

layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
nn.TransformerEncoder(layer, 2)(paddle.rand([1, 3, 8])).mean().backward()
