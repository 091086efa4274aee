"""nn layers: forward, gradients of inputs and weights, state after training steps, initial weights."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, as_list, data, fill, frozen, leaf, weights_like

nn = paddle.nn
cases = Family("layers")


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
        "parameters": {name: p.grad for name, p in layer.named_parameters() if not p.stop_gradient},
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


def train_then_eval(make, shape):
    """Two training batches move the running averages; evaluation uses them."""
    layer = fill(make())
    seen = [layer(frozen(data(*shape, seed=s), "float32")) for s in (1, 2)]
    layer.eval()
    seen.append(layer(frozen(data(*shape, seed=3), "float32")))
    return {"seen": seen, "state": {key: value.numpy() for key, value in layer.state_dict().items()}}


for text, (make, shape) in BATCH_NORMS.items():
    cases.add(f"{text} train then eval", train_then_eval, make, shape)
