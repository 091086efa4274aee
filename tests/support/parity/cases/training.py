"""Twenty training steps of an MLP, a LeNet and an attention block, with weights set from NumPy."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, trainable

nn, F = paddle.nn, paddle.nn.functional
cases = Family("training")
STEPS = 20


def set_weights(layer):
    """Known weights of about the size that Xavier's rule would give."""
    for i, parameter in enumerate(trainable(layer)):
        size = 1 / np.sqrt(max(parameter.shape[0], 4))
        numbers = data(*parameter.shape, seed=100 + i, low=-size, high=size)
        parameter.set_value(numbers.astype("float32"))
    return layer


def curve(make_model, make_optimizer, batch):
    """Loss per step, and the last weights' sums of squares."""
    model = set_weights(make_model())
    optimizer = make_optimizer(model.parameters())
    losses = []
    for step in range(STEPS):
        x, label = batch(step)
        loss = F.cross_entropy(model(x), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.numpy())
    squares = [np.float32((p.numpy().astype("float64") ** 2).sum()) for p in trainable(model)]
    return {"losses": np.array(losses), "squares": squares}


def _mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 3))


def vectors(step):
    x = data(12, 8, seed=step % 4)
    return frozen(x, "float32"), frozen((x[:, :3] * 2 + x[:, 3:6]).argmax(axis=1))


class LeNet(nn.Layer):
    """Two convolutions with pooling, two linear layers; for 12 x 12 images."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2D(1, 4, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(4, 6, 3),
            nn.ReLU(),
            nn.AvgPool2D(2),
        )
        self.head = nn.Sequential(nn.Linear(24, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, x):  # [N, 1, 12, 12]
        return self.head(paddle.flatten(self.features(x), 1))


def images(step):
    """Noise with one brighter corner, which is the label."""
    x, label = data(8, 1, 12, 12, seed=step % 3), np.random.RandomState(step % 3).randint(0, 4, 8)
    for image, corner in zip(x, label, strict=True):
        top, left = divmod(int(corner), 2)
        image[0, 6 * top : 6 * top + 6, 6 * left : 6 * left + 6] += 1.5
    return frozen(x, "float32"), frozen(label)


class Attention(nn.Layer):
    """One pre-norm transformer block: two heads of width four, GELU feed-forward, pooled classifier."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.norm1, self.norm2 = nn.LayerNorm(8), nn.LayerNorm(8)
        self.qkv, self.out = nn.Linear(8, 24, bias_attr=False), nn.Linear(8, 8)
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)
        self.head = nn.Linear(8, 3)

    def attend(self, x):  # [N, T, 8]
        n, t, _ = x.shape
        q, k, v = self.qkv(x).reshape([n, t, 3, 2, 4]).transpose([2, 0, 3, 1, 4])  # each [N, 2, T, 4]
        scores = paddle.matmul(q, k, transpose_y=True) / 2.0
        mask = paddle.triu(paddle.full([t, t], -1e4), 1)
        mixed = paddle.matmul(F.softmax(scores + mask), v)
        return self.out(mixed.transpose([0, 2, 1, 3]).reshape([n, t, 8]))

    def forward(self, ids):
        x = self.embed(ids)
        x = x + self.attend(self.norm1(x))
        x = x + self.down(F.gelu(self.up(self.norm2(x))))
        return self.head(x.mean(axis=1))


def sentences(step):
    ids = np.random.RandomState(step % 4).randint(0, 10, (6, 5))
    return frozen(ids), frozen(ids.sum(axis=1) % 3)


def _batch_norm_net():
    return nn.Sequential(nn.Linear(8, 6, bias_attr=False), nn.BatchNorm1D(6), nn.ReLU(), nn.Linear(6, 3))


def optimizer(name, *args, **options):
    return lambda parameters: getattr(paddle.optimizer, name)(*args, parameters=parameters, **options)


SGD = optimizer("SGD", 0.1)
MOMENTUM = optimizer("Momentum", 0.05, momentum=0.9)
ADAM = optimizer("Adam", 0.01)
ADAMW = optimizer("AdamW", 0.01, weight_decay=0.1)
RUNS = cases.table("runs", globals())
for text, parts in RUNS.items():
    cases.add(text, curve, *parts)
