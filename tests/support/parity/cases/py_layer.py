"""Section 10: how a PyLayer is called, its slots and outputs. Not here: what Paddle gets wrong."""

import paddle

from tests.support.parity.kit import Family, dtype_name, leaf
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer")


SLOTS = {  # how apply is called, how many gradients backward gives
    "positional": (lambda F, x, y: F.apply(x, y), 2),
    "keyword": (lambda F, x, y: F.apply(x, y=y), 2),
    "keywords turned": (lambda F, x, y: F.apply(y=y, x=x), 2),
    "list": (lambda F, x, y: F.apply([x, y]), "list"),
    "tuple with others": (lambda F, x, y: F.apply((x, 3, y, None)), "list"),
    "list and number": (lambda F, x, y: F.apply([x, y], 5), "list"),
    "tensor then list": (lambda F, x, y: F.apply(x, [y, y]), "mixed"),
    "empty list": (lambda F, x, y: F.apply(x, [], y), 2),
    "nested list": (lambda F, x, y: F.apply(x, [[y]]), 1),
    "dict": (lambda F, x, y: F.apply(x, {"y": y}), 1),
}


def answers(kind, g):
    if kind == "list":
        return [g * 10, g * 20]
    if kind == "mixed":
        return g * 10, [g * 20, g * 30]
    return tuple(g * 10 * (i + 1) for i in range(kind)) if kind > 1 else g * 10


def slots(call, kind):
    def forward(ctx, *args, **kwargs):
        return paddle.ones([1], "float32")

    x, y = leaf([1.0]), leaf([2.0])
    out = call(layer(forward, lambda ctx, g: answers(kind, g)), x, y)
    out.backward()
    return [x.grad, y.grad]


for text, (call, kind) in SLOTS.items():
    cases.add(f"slots {text}", slots, call, kind)

OUTPUTS = {
    "tuple": lambda x: (x * 1, x * 2),
    "list": lambda x: [x * 1, x * 2],
    "tuple of one": lambda x: (x * 1,),
    "with None": lambda x: (x * 1, None),
    "with others": lambda x: ("a", x * 1, 3),
    "integer": lambda x: (x * 1, x.astype("int64")),
}


def outputs(make):
    seen = []

    def backward(ctx, *gs):
        seen.append([[list(g.shape), dtype_name(g), g.tolist()] for g in gs])
        return gs[0]

    x = leaf([1.0, 2.0])
    out = layer(lambda ctx, t: make(t), backward).apply(x)
    tensors = [t for t in out if isinstance(t, paddle.Tensor)]
    tensors[0].sum().backward()
    flags = [t.stop_gradient for t in tensors]
    return {"kind": type(out).__name__, "len": len(out), "flags": flags, "seen": seen, "grad": x.grad}


for text, make in OUTPUTS.items():
    cases.add(f"outputs {text}", outputs, make)
