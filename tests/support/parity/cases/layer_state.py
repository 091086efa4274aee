"""Initial weights, initializers, what a Layer knows of its parts, layer hooks, errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, dtype_name, fill, frozen, leaf, raises

nn = paddle.nn
cases = Family("layer_state")

INITIAL = {
    "Linear": lambda: nn.Linear(3, 2),
    "Conv2D": lambda: nn.Conv2D(2, 3, 3),
    "BatchNorm2D": lambda: nn.BatchNorm2D(2),
    "LayerNorm": lambda: nn.LayerNorm(3),
    "Embedding": lambda: nn.Embedding(4, 2),
}


def initial_parameters():
    """Shapes, dtypes, flags; values only where they are constants."""
    found = {}
    for text, make in INITIAL.items():
        for name, p in make().state_dict().items():
            constant = float(p.numpy().std()) == 0
            found[f"{text}.{name}"] = [
                list(p.shape),
                dtype_name(p),
                p.stop_gradient,
                p.numpy() if constant else None,
            ]
    return found


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


def assign_initializer():
    attr = paddle.ParamAttr(initializer=init.Assign(data(3, 2)))
    return nn.Linear(
        3, 2, weight_attr=attr, bias_attr=paddle.ParamAttr(initializer=init.Constant(2.0))
    ).state_dict()


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


def layer_bookkeeping():
    net = Net()
    return {
        "state": list(net.state_dict()),
        "parameters": [name for name, p in net.named_parameters() if not p.stop_gradient],
        "sublayers": [name for name, _ in net.named_sublayers()],
        "children": [name for name, _ in net.named_children()],
        "buffers": [name for name, _ in net.named_buffers() if not name.startswith("body.1")],
        "count": [len(net.sublayers()), len(net.heads)],
        "full_name": net.full_name().rpartition("_")[0],
    }


def running_averages_are_frozen_parameters():
    layer = nn.BatchNorm1D(2)
    return [[name, p.stop_gradient] for name, p in layer.named_parameters()]


def train_and_eval_reach_every_sublayer():
    net = Net()
    net.eval()
    off = [layer.training for layer in net.sublayers(include_self=True)]
    net.train()
    return [off, [layer.training for layer in net.sublayers()]]


def state_moves_between_two_layers():
    a, b = fill(Net()), Net()
    answer = b.set_state_dict(a.state_dict())
    x = frozen(data(4, 2), "float32")
    same = bool((a(x) == b(x)).all())
    return [same, [list(part) for part in answer]]


def layer_hooks():
    seen = []
    layer = fill(nn.Linear(2, 2))
    before = layer.register_forward_pre_hook(lambda layer, inputs: seen.append(["pre", len(inputs)]))
    after = layer.register_forward_post_hook(lambda layer, inputs, out: out * 2)
    x = frozen(data(1, 2), "float32")
    outs = [layer(x)]
    before.remove()
    after.remove()
    outs.append(layer(x))
    return [seen, outs]


def frozen_parameters():
    layer = fill(nn.Linear(2, 2))
    layer.weight.stop_gradient = True
    layer(leaf(data(1, 2), "float32")).sum().backward()
    return [layer.weight.grad, layer.bias.grad, layer.weight.trainable, layer.bias.trainable]


def clear_gradients():
    layer = fill(nn.Linear(2, 2))
    layer(frozen(data(1, 2), "float32")).sum().backward()
    layer.clear_gradients()
    return layer.weight.grad


def errors():
    return {
        "missing attribute": raises(lambda: Net().nonsense, "nonsense"),
        "no forward": raises(lambda: nn.Layer()(1)),
        "linear shape": raises(lambda: nn.Linear(3, 2)(frozen(data(2, 4), "float32"))),
        "not a parameter": raises(lambda: nn.Layer().add_parameter("w", 3)),
        "not a layer": raises(lambda: nn.Layer().add_sublayer("w", 3)),
    }
