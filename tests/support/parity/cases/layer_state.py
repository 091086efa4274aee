"""Initial weights, initializers, what a Layer knows of its parts, layer hooks, errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

nn = paddle.nn
cases = Family("layer_state")

INITIAL = {
    "Linear": lambda: nn.Linear(3, 2),
    "Conv2D": lambda: nn.Conv2D(2, 3, 3),
    "BatchNorm2D": lambda: nn.BatchNorm2D(2),
    "LayerNorm": lambda: nn.LayerNorm(3),
    "Embedding": lambda: nn.Embedding(4, 2),
}


init = nn.initializer
INITIALIZERS = {  # how large the numbers of a [200, 100] weight are: bounds or spread, roughly
    "Constant": lambda: init.Constant(0.5),
    "Normal": lambda: init.Normal(1.0, 2.0),
    "TruncatedNormal": lambda: init.TruncatedNormal(0.0, 2.0),
    "Uniform": lambda: init.Uniform(-0.5, 0.7),
    "XavierUniform": lambda: init.XavierUniform(),
    "XavierNormal": lambda: init.XavierNormal(),
    "KaimingUniform": lambda: init.KaimingUniform(),
    "KaimingNormal": lambda: init.KaimingNormal(),
    "default": lambda: None,
}


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
