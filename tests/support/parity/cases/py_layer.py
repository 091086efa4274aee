"""Section 10: how a PyLayer is called, its slots and outputs. Not here: what Paddle gets wrong."""

import paddle

from tests.support.parity.kit import Family, dtype_name, leaf
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer")


SLOTS = cases.table("slots", globals())


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

OUTPUTS = cases.table("outputs", globals())


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
