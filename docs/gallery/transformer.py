"""Twelve encoder layers, drawn as one."""

import paddle
from paddle import nn

paddle.seed(1)
layers = [nn.TransformerEncoderLayer(16, nhead=2, dim_feedforward=32, dropout=0.0) for _ in range(12)]
encoder = nn.Sequential(*layers)
words = paddle.rand([2, 5, 16])
loss = encoder(words).square().mean()
loss.backward()
