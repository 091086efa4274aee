"""paddle.Model: what fit, evaluate and predict answer, and what they leave in the network."""

import contextlib
import io
import os
import re
import tempfile
from functools import partial

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, raises

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


def plain(logs):
    return {name: np.asarray(value, "float32") for name, value in logs.items()}


FITS = {
    "lines": {"verbose": 2, "log_freq": 2},
    "a bar": {"verbose": 1, "log_freq": 10},
    "silence": {"verbose": 0},
    "some steps": {"verbose": 2, "num_iters": 2},
    "batches that add up": {"verbose": 0, "accumulate_grad_batches": 2},
    "whole batches": {"verbose": 2, "log_freq": 1, "drop_last": True},
    "evaluations now and then": {"verbose": 2, "epochs": 4, "eval_freq": 2},
}


def _fit(**options):
    made = _model(paddle.metric.Accuracy(topk=(1, 2)))
    options = {"batch_size": 8, "epochs": 2, "shuffle": False} | options
    said, _ = printed(lambda: made.fit(Examples(), Examples(), **options))
    return {"said": said, "weights": weights(made)}


for title, options in FITS.items():
    cases.add(f"fit with {title}", partial(_fit, **options))


def checkpoints():
    with tempfile.TemporaryDirectory() as folder:
        made = _model()
        said, _ = printed(
            lambda: made.fit(Examples(), batch_size=8, epochs=3, verbose=0, save_dir=folder, save_freq=2)
        )
        other = _model()
        other.load(f"{folder}/final")
        lines = [line.replace(os.path.realpath(folder), "FOLDER").replace(folder, "FOLDER") for line in said]
        same = all((ours == theirs).all() for ours, theirs in zip(weights(made), weights(other), strict=True))
        return lines, sorted(os.listdir(folder)), same


def refusals():
    made = _model()
    with tempfile.TemporaryDirectory() as folder:
        made.save(f"{folder}/a")
        wider = paddle.Model(
            paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 3))
        )
        return [
            raises(lambda: made.prepare(loss=3), "'loss' must be sub classes of `paddle.nn.Layer`"),
            raises(lambda: made.prepare(metrics=3), "int is not sub class of Metric"),
            raises(lambda: made.fit(None), "train_data must be given!"),
            raises(lambda: made.load(f"{folder}/nothing"), "Failed to load parameters"),
            raises(lambda: wider.load(f"{folder}/a"), "receives a shape", "expected shape"),
            raises(lambda: paddle.callbacks.LRScheduler(True, True), "mutually exclusive"),
        ]
