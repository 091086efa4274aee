"""The common beginning of training loops; the loops are in planted_scripts/loops.txt, as edits of each other."""

import numpy as np

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from tests.support.planted import planted

LOOPS = planted("loops")
STEPS = 4


def data(width=3, classes=0, count=8):
    """Return inputs, and either what is wanted of one number each, or classes."""
    rng = np.random.default_rng(0)
    x = paddle.to_tensor(rng.normal(size=(count, width)).astype("float32"))
    if classes:
        return x, paddle.to_tensor(rng.integers(0, classes, count))
    return x, paddle.to_tensor(rng.normal(size=(count, 1)).astype("float32"))


def network(*more, width=3, out=1):
    """Return a small network that has these layers in its middle."""
    paddle.seed(1)
    nn = paddle.nn
    return nn.Sequential(nn.Linear(width, 6), nn.Tanh(), *more, nn.Linear(6, out))


def sgd(*layers, rate=0.05):
    """Return an optimizer for these layers."""
    return paddle.optimizer.SGD(rate, parameters=[one for layer in layers for one in layer.parameters()])


NAMES = {"np": np, "paddle": paddle, "F": F, "STEPS": STEPS, "data": data, "network": network, "sgd": sgd}


def written(one, folder):
    """Return a function that runs a loop, whose lines are those of ``planted.py`` in a folder."""
    path = folder / "planted.py"
    path.write_text(one.body, encoding="utf-8")
    code = compile(one.body, str(path), "exec")
    return lambda: exec(code, {**NAMES, "__name__": "planted"})
