"""One transformer block (width 64, 4 heads, MLP x4 with GELU) on 8 sequences of 32: a step with Adam."""

import paddle
import paddle.nn.functional as F
from paddle import nn

from benchmarks import data

BATCH, LENGTH, WIDTH, HEADS = 8, 32, 64, 4


class Attention(nn.Layer):
    """Every position looks at every other one, in `HEADS` ways at once."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):  # [B, T, D]
        qkv = self.qkv(x).reshape([BATCH, LENGTH, 3, HEADS, WIDTH // HEADS])
        q, k, v = qkv.transpose([2, 0, 3, 1, 4]).unbind(0)  # each [B, H, T, D/H]
        scores = paddle.matmul(q, k, transpose_y=True) * (WIDTH // HEADS) ** -0.5  # [B, H, T, T]
        mixed = paddle.matmul(F.softmax(scores, axis=-1), v)  # [B, H, T, D/H]
        return self.out(mixed.transpose([0, 2, 1, 3]).reshape([BATCH, LENGTH, WIDTH]))


class Block(nn.Layer):
    """Attention and a small network, each behind a LayerNorm and beside a shortcut."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def setup():
    paddle.seed(0)
    block = Block()
    optimizer = paddle.optimizer.Adam(learning_rate=1e-3, parameters=block.parameters())
    x, wanted = (paddle.to_tensor(array) for array in data.tokens(BATCH, LENGTH, WIDTH))

    def step():
        loss = F.mse_loss(block(x), wanted)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step
