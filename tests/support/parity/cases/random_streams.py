"""The same seed, the same numbers: bit for bit, and in the same order of calls; and curves of training that draws."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

cases = Family("random_streams")
F = paddle.nn.functional
init = paddle.nn.initializer
SEEDS = (0, 1, 7, 2**31, 2**33 + 7)


def bits(tensor):
    """The bits of the numbers, so that the last one counts."""
    array = tensor.numpy()
    return array.view(f"int{8 * array.itemsize}").tolist() if array.dtype.kind == "f" else array.tolist()


DRAWS = {
    **{f"randperm {n}": (lambda n=n: paddle.randperm(n)) for n in (1, 2, 7, 10, 200)},
    **cases.table("draws", globals()),
}
INITIALIZERS = cases.table("initializers", globals())


def drawn(draw):
    """What it draws for each seed, and what comes after it."""
    found = []
    for seed in SEEDS:
        paddle.seed(seed)
        found.append([bits(draw()), bits(draw()), bits(paddle.rand([1]))])
    return found


def last_row(initializer, dtype):
    """The last row of a parameter."""
    return paddle.create_parameter([40, 30], dtype, default_initializer=initializer)[39]


for name, draw in DRAWS.items():
    cases.add(name, drawn, draw)
for name, initializer in INITIALIZERS.items():
    for dtype in ("float32", "float64"):
        cases.add(f"{name} {dtype}", lambda i=initializer, d=dtype: drawn(lambda: last_row(i, d)))


def _layers():
    """The parameters of three layers, one after another."""
    made = (paddle.nn.Linear(2, 3), paddle.nn.Conv2D(1, 2, 2), paddle.nn.Embedding(5, 3))
    return paddle.concat([parameter.flatten() for layer in made for parameter in layer.parameters()])


cases.add("layers", drawn, _layers)


def trained(make, optimizer, steps=50):
    """The losses of a network that is trained on shuffled batches."""
    paddle.seed(11)
    np.random.seed(11)
    net = make()
    x = paddle.randn([48, 1, 8, 8])
    y = paddle.randint(0, 5, [48])
    data = paddle.io.TensorDataset([x, y])
    opt = optimizer(net.parameters())
    losses = []
    while len(losses) < steps:
        for batch, labels in paddle.io.DataLoader(data, batch_size=12, shuffle=True):
            loss = F.cross_entropy(net(batch), labels)
            loss.backward()
            opt.step()
            opt.clear_grad()
            losses.append(float(loss))
    return losses[:steps]


N = paddle.nn
NETWORKS = cases.table("networks", globals())
OPTIMIZERS = {
    "SGD": lambda parameters: paddle.optimizer.SGD(0.1, parameters=parameters),
    "Adam": lambda parameters: paddle.optimizer.Adam(0.01, parameters=parameters),
}
for network, make in NETWORKS.items():
    for name, optimizer in OPTIMIZERS.items():
        cases.add(f"{network} by {name}", trained, make, optimizer, tolerance=1e-5)
