"""Initial weights, initializers, what a Layer knows of its parts, layer hooks, errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

nn = paddle.nn
cases = Family("layer_state")

INITIAL = cases.table("initial", globals())


init = nn.initializer
INITIALIZERS = cases.table("initializers", globals())


def spread(make):
    paddle.seed(3)
    layer = nn.Linear(200, 100, weight_attr=paddle.ParamAttr(initializer=make()))
    w = layer.weight.numpy()
    return {"shape": list(w.shape), "mean": float(np.round(w.mean(), 1)), "spread": float(w.std())}


for text, make in INITIALIZERS.items():
    cases.add(f"initializer {text}", spread, make, tolerance=0.03)


class Net(nn.Layer):
    """Parameters, a buffer, sublayers: what state_dict has to name."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3))
        self.heads = nn.LayerList([nn.Linear(3, 1), nn.Linear(3, 1)])
        self.scale = self.create_parameter([1], default_initializer=init.Constant(2.0))
        self.register_buffer("count", paddle.zeros([1]))
        self.register_buffer("hidden", paddle.zeros([1]), persistable=False)

    def forward(self, x):
        h = self.body(x)
        return sum(head(h) for head in self.heads) * self.scale
