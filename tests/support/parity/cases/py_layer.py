"""Section 10: how a PyLayer is called, its slots and outputs. Not here: what Paddle gets wrong."""

import paddle

from tests.support.parity.kit import Family, data, dtype_name, frozen, leaf, tanh_layer
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer")


def tanh():
    x = leaf(data(2, 3))
    y = tanh_layer().apply(x)
    y.mean().backward()
    return {"y": y, "grad": x.grad, "flags": [y.stop_gradient, y.is_leaf], "node": y.grad_fn.name()}


def on_an_instance():
    x = leaf(data(2))
    tanh_layer()().apply(x).sum().backward()
    return x.grad


def names():
    x = leaf([1.0])
    y = tanh_layer().apply(x * 2)
    parents = [node.name() for node in (y * 3).grad_fn.next_functions]
    return [parents, [n.name() for n in y.grad_fn.next_functions], paddle.autograd.PyLayerContext.__name__]


def context_is_one_object_and_fresh():
    seen = []

    def forward(ctx, x):
        ctx.note = 7
        seen.append(ctx)
        return x * 1

    def backward(ctx, g):
        seen.append(ctx)
        return g * ctx.note

    x = leaf([1.0])
    Custom = layer(forward, backward)
    Custom.apply(x).backward()
    Custom.apply(x).backward()
    kind = isinstance(seen[0], paddle.autograd.PyLayerContext)
    return [seen[0] is seen[1], seen[0] is seen[2], kind, x.grad]


def grad_mode():
    seen = []

    def forward(ctx, x):
        seen.append(paddle.is_grad_enabled())
        paddle.set_grad_enabled(True)
        return x * 1

    def backward(ctx, g):
        seen.append(paddle.is_grad_enabled())
        return g

    x = leaf([1.0])
    y = layer(forward, backward).apply(x)
    seen.append(paddle.is_grad_enabled())
    y.backward()
    with paddle.no_grad():
        z = layer(forward, backward).apply(x)
        seen.append(paddle.is_grad_enabled())
    paddle.grad(tanh_layer().apply(x) * layer(forward, backward).apply(x), x, create_graph=True)
    return [seen, z.stop_gradient, z.is_leaf]


def arguments_are_the_very_objects():
    x, other = leaf([1.0]), {"a": [1]}
    seen = []

    def forward(ctx, t, thing, *rest, key=None):
        seen.extend([t is x, thing is other, rest, key])
        return t * 1

    layer(forward, lambda ctx, g: g).apply(x, other, 1, "s", key=None)
    return seen


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


def both_outputs_used():
    x = leaf([1.0, 2.0])
    a, b = layer(lambda ctx, t: (t * 1, t * 2), lambda ctx, da, db: da * 10 + db).apply(x)
    (a * 3 + b * 5).sum().backward()
    return x.grad


def unused_output_without_materialising():
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2

    def backward(ctx, da, db):
        seen.append([da is None, db is None])
        return da

    x = leaf([1.0])
    layer(forward, backward).apply(x)[0].backward()
    return [seen, x.grad]


def non_differentiable_output():
    seen = []

    def forward(ctx, x):
        a, b = x * 1, x * 2
        ctx.mark_non_differentiable(b)
        return a, b

    def backward(ctx, da, db):
        seen.append(db.tolist())
        return da

    x = leaf([1.0])
    a, b = layer(forward, backward).apply(x)
    a.backward()
    return [seen, [a.stop_gradient, b.stop_gradient], x.grad]


def no_differentiable_output_left():
    def forward(ctx, x):
        y = x * 1
        ctx.mark_non_differentiable(y)
        return y

    x = leaf([1.0])
    y = layer(forward, lambda ctx, g: g).apply(x)
    y.backward()
    return [y.stop_gradient, x.grad]


def frozen_inputs():
    x, f = leaf([1.0]), frozen([2.0])
    one_frozen = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g * 5, None))
    one_frozen.apply(x, f).backward()
    y = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g, g)).apply(f, f)
    return [x.grad, f.grad, y.stop_gradient, y.is_leaf]
