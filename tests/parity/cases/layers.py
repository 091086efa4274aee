"""nn layers: forward, gradients of inputs and weights, state after training steps, initial weights."""

import numpy as np
import paddle

from tests.parity.kit import Family, as_list, data, dtype_name, frozen, leaf, raises, weights_like

nn = paddle.nn
cases = Family("layers")


def fill(layer):
    """Give every parameter known numbers, whatever its initializer did."""
    for i, parameter in enumerate(layer.parameters()):
        parameter.set_value(data(*parameter.shape, seed=10 + i).astype("float32"))
    return layer


def trained(make, *arrays):
    """Outputs of a layer with known weights; gradients of its float inputs and of its parameters."""
    layer = fill(make())
    inputs = [leaf(a.astype("float32")) if a.dtype.kind == "f" else frozen(a) for a in arrays]
    outs = layer(*inputs)
    roots = as_list(outs)
    paddle.autograd.backward(roots, [weights_like(root) for root in roots])
    return {
        "out": outs,
        "inputs": [x.grad for x in inputs],
        "parameters": {name: p.grad for name, p in layer.named_parameters()},
        "state": sorted(layer.state_dict()),
    }


image = data(2, 2, 5, 5)
LAYERS = {
    "Linear": (lambda: nn.Linear(3, 2), data(4, 3)),
    "Linear without bias": (lambda: nn.Linear(3, 2, bias_attr=False), data(4, 3)),
    "Conv2D": (lambda: nn.Conv2D(2, 3, 3), image),
    "Conv2D stride padding": (lambda: nn.Conv2D(2, 2, 3, stride=2, padding=1), image),
    "Conv2D dilation": (lambda: nn.Conv2D(2, 1, 2, dilation=2, bias_attr=False), image),
    "Conv2D groups": (lambda: nn.Conv2D(2, 4, 2, groups=2), image),
    "MaxPool2D": (lambda: nn.MaxPool2D(2), image),
    "MaxPool2D stride padding": (lambda: nn.MaxPool2D(3, stride=2, padding=1), image),
    "AvgPool2D": (lambda: nn.AvgPool2D(2, stride=1), image),
    "AdaptiveAvgPool2D": (lambda: nn.AdaptiveAvgPool2D(2), image),
    "BatchNorm1D": (lambda: nn.BatchNorm1D(3), data(4, 3)),
    "BatchNorm1D sequence": (lambda: nn.BatchNorm1D(3), data(2, 3, 4)),
    "BatchNorm2D": (lambda: nn.BatchNorm2D(2), image),
    "LayerNorm": (lambda: nn.LayerNorm(3), data(4, 3)),
    "LayerNorm two axes": (lambda: nn.LayerNorm([2, 3]), data(4, 2, 3)),
    "Embedding": (lambda: nn.Embedding(5, 2), np.array([[0, 4], [4, 2]])),
    "Embedding padded": (lambda: nn.Embedding(5, 2, padding_idx=4), np.array([[0, 4], [4, 2]])),
    "Dropout eval": (lambda: evaluating(nn.Dropout(0.5)), data(2, 3)),
    "Flatten": (lambda: nn.Flatten(), data(2, 3, 2)),
    "Flatten axes": (lambda: nn.Flatten(0, 1), data(2, 3, 2)),
    "Sequential": (lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), data(4, 3)),
    "Sequential named": (
        lambda: nn.Sequential(("first", nn.Linear(3, 2)), ("second", nn.Tanh())),
        data(4, 3),
    ),
}
for name in [
    "ReLU",
    "GELU",
    "Sigmoid",
    "Tanh",
    "Softmax",
    "LeakyReLU",
    "ReLU6",
    "ELU",
    "Silu",
    "Softplus",
    "LogSoftmax",
]:
    LAYERS[name] = (lambda name=name: getattr(nn, name)(), data(2, 3))


def evaluating(layer):
    layer.eval()
    return layer


for text, (make, *arrays) in LAYERS.items():
    cases.add(text, trained, make, *arrays)

BATCH_NORMS = {
    "BatchNorm1D": (lambda: nn.BatchNorm1D(3), (4, 3)),
    "BatchNorm2D": (lambda: nn.BatchNorm2D(3, momentum=0.7), (2, 3, 2, 2)),
}
for text, (make, shape) in BATCH_NORMS.items():

    def train_then_eval(make=make, shape=shape):
        """Two training batches move the running averages; evaluation uses them."""
        layer = fill(make())
        seen = [layer(frozen(data(*shape, seed=s), "float32")) for s in (1, 2)]
        layer.eval()
        seen.append(layer(frozen(data(*shape, seed=3), "float32")))
        return {"seen": seen, "state": {key: value.numpy() for key, value in layer.state_dict().items()}}

    cases.add(f"{text} train then eval", train_then_eval)


@cases
def multi_head_attention_by_hand():
    """A block as users write it: projections, scores, softmax, mixture."""
    q, k, v = (fill(nn.Linear(4, 4)) for _ in range(3))
    x = leaf(data(2, 3, 4), "float32")
    scores = nn.functional.softmax(paddle.matmul(q(x), k(x), transpose_y=True) / 2.0)
    out = paddle.matmul(scores, v(x))
    out.backward(weights_like(out))
    return {"out": out, "x": x.grad, "q": q.weight.grad, "k": k.weight.grad, "v": v.weight.grad}


INITIAL = {
    "Linear": lambda: nn.Linear(3, 2),
    "Conv2D": lambda: nn.Conv2D(2, 3, 3),
    "BatchNorm2D": lambda: nn.BatchNorm2D(2),
    "LayerNorm": lambda: nn.LayerNorm(3),
    "Embedding": lambda: nn.Embedding(4, 2),
}


@cases
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
for text, make in INITIALIZERS.items():

    def spread(make=make):
        paddle.seed(3)
        layer = nn.Linear(200, 100, weight_attr=paddle.ParamAttr(initializer=make()))
        w = layer.weight.numpy()
        return {"shape": list(w.shape), "mean": float(np.round(w.mean(), 1)), "spread": float(w.std())}

    cases.add(f"initializer {text}", spread, tolerance=0.03)


@cases
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


@cases
def layer_bookkeeping():
    net = Net()
    return {
        "state": list(net.state_dict()),
        "parameters": [name for name, _ in net.named_parameters()],
        "sublayers": [name for name, _ in net.named_sublayers()],
        "children": [name for name, _ in net.named_children()],
        "buffers": [name for name, _ in net.named_buffers()],
        "count": [len(net.parameters()), len(net.sublayers()), len(net.heads)],
        "full_name": net.full_name().rpartition("_")[0],
    }


@cases
def train_and_eval_reach_every_sublayer():
    net = Net()
    net.eval()
    off = [layer.training for layer in net.sublayers(include_self=True)]
    net.train()
    return [off, [layer.training for layer in net.sublayers()]]


@cases
def state_moves_between_two_layers():
    a, b = fill(Net()), Net()
    answer = b.set_state_dict(a.state_dict())
    x = frozen(data(4, 2), "float32")
    same = bool((a(x) == b(x)).all())
    return [same, [list(part) for part in answer]]


@cases
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


@cases
def frozen_parameters():
    layer = fill(nn.Linear(2, 2))
    layer.weight.stop_gradient = True
    layer(leaf(data(1, 2), "float32")).sum().backward()
    return [layer.weight.grad, layer.bias.grad, layer.weight.trainable, layer.bias.trainable]


@cases
def clear_gradients():
    layer = fill(nn.Linear(2, 2))
    layer(frozen(data(1, 2), "float32")).sum().backward()
    layer.clear_gradients()
    return layer.weight.grad


@cases
def errors():
    return {
        "missing attribute": raises(lambda: Net().nonsense, "nonsense"),
        "no forward": raises(lambda: nn.Layer()(1)),
        "linear shape": raises(lambda: nn.Linear(3, 2)(frozen(data(2, 4), "float32"))),
        "not a parameter": raises(lambda: nn.Layer().add_parameter("w", 3)),
        "not a layer": raises(lambda: nn.Layer().add_sublayer("w", 3)),
    }
