"""nn layers: forward, gradients of inputs and weights, state after training steps, initial weights."""

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


def evaluating(layer):
    layer.eval()
    return layer


image = data(2, 2, 5, 5)
LAYERS = cases.table("layers", globals())
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
