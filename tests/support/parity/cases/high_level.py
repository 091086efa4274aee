"""paddle.Model: what fit, evaluate and predict answer, and what they leave in the network."""

import contextlib
import io
import re
from functools import partial

import paddle

from tests.support.parity.kit import Family, data

cases = Family("high_level")
X = data(20, 4, seed=3).astype("float32")
Y = (X.sum(axis=1) > 0).astype("int64").reshape(-1, 1)


class Examples(paddle.io.Dataset):
    """Twenty vectors and their class."""

    def __len__(self):
        return len(X)

    def __getitem__(self, index):
        return X[index], Y[index]


def _model(metrics=None, loss=True):
    """A small network with known weights."""
    network = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 2))
    for seed, parameter in enumerate(network.parameters()):
        parameter.set_value(data(*parameter.shape, seed=50 + seed).astype("float32"))
    made = paddle.Model(network)
    optimizer = paddle.optimizer.Momentum(0.1, parameters=network.parameters())
    made.prepare(optimizer, paddle.nn.CrossEntropyLoss() if loss else None, metrics)
    return made


def weights(made):
    return [parameter.numpy() for parameter in made.parameters()]


def printed(run):
    """What `run` printed, without times and terminal movements, and what it returned."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        answer = run()
    return re.sub(r"[\d.]+(us|ms|s)/step", "T/step", said.getvalue()).split("\n"), answer


FITS = cases.table("fits", globals())


def _fit(**options):
    made = _model(paddle.metric.Accuracy(topk=(1, 2)))
    options = {"batch_size": 8, "epochs": 2, "shuffle": False} | options
    said, _ = printed(lambda: made.fit(Examples(), Examples(), **options))
    return {"said": said, "weights": weights(made)}


for title, options in FITS.items():
    cases.add(f"fit with {title}", partial(_fit, **options))
