"""Section 10: PyLayer and its context; what Paddle gets wrong (section 12) is not here."""

import numpy as np
import paddle

from tests.parity.kit import Family, data, dtype_name, frozen, leaf, raises

PyLayer = paddle.autograd.PyLayer
cases = Family("py_layer")


def layer(forward, backward=None, name="Custom"):
    """A PyLayer class of two functions."""
    members = {"forward": staticmethod(forward)} | ({"backward": staticmethod(backward)} if backward else {})
    return type(name, (PyLayer,), members)


def double(ctx, x):
    return x * 2


def tanh_forward(ctx, x):
    y = paddle.tanh(x)
    ctx.save_for_backward(y)
    return y


def tanh_backward(ctx, dy):
    (y,) = ctx.saved_tensor()
    return dy * (1 - paddle.square(y))


Tanh = layer(tanh_forward, tanh_backward, "Tanh")
Mul = layer(lambda ctx, x, y: x * y, lambda ctx, g: (g * 2, g * 3), "Mul")


@cases
def tanh():
    x = leaf(data(2, 3))
    y = Tanh.apply(x)
    y.mean().backward()
    return {"y": y, "grad": x.grad, "flags": [y.stop_gradient, y.is_leaf], "node": y.grad_fn.name()}


@cases
def on_an_instance():
    x = leaf(data(2))
    Tanh().apply(x).sum().backward()
    return x.grad


@cases
def names():
    x = leaf([1.0])
    y = Tanh.apply(x * 2)
    parents = [node.name() for node in (y * 3).grad_fn.next_functions]
    return [parents, [n.name() for n in y.grad_fn.next_functions], paddle.autograd.PyLayerContext.__name__]


@cases
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


@cases
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
    paddle.grad(Tanh.apply(x) * layer(forward, backward).apply(x), x, create_graph=True)
    return [seen, z.stop_gradient, z.is_leaf]


@cases
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


for text, (call, kind) in SLOTS.items():

    def slots(call=call, kind=kind):
        def forward(ctx, *args, **kwargs):
            return paddle.ones([1], "float32")

        x, y = leaf([1.0]), leaf([2.0])
        out = call(layer(forward, lambda ctx, g: answers(kind, g)), x, y)
        out.backward()
        return [x.grad, y.grad]

    cases.add(f"slots {text}", slots)

OUTPUTS = {
    "tuple": lambda x: (x * 1, x * 2),
    "list": lambda x: [x * 1, x * 2],
    "tuple of one": lambda x: (x * 1,),
    "with None": lambda x: (x * 1, None),
    "with others": lambda x: ("a", x * 1, 3),
    "integer": lambda x: (x * 1, x.astype("int64")),
}
for text, make in OUTPUTS.items():

    def outputs(make=make):
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

    cases.add(f"outputs {text}", outputs)


@cases
def both_outputs_used():
    x = leaf([1.0, 2.0])
    a, b = layer(lambda ctx, t: (t * 1, t * 2), lambda ctx, da, db: da * 10 + db).apply(x)
    (a * 3 + b * 5).sum().backward()
    return x.grad


@cases
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


@cases
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


@cases
def no_differentiable_output_left():
    def forward(ctx, x):
        y = x * 1
        ctx.mark_non_differentiable(y)
        return y

    x = leaf([1.0])
    y = layer(forward, lambda ctx, g: g).apply(x)
    y.backward()
    return [y.stop_gradient, x.grad]


@cases
def frozen_inputs():
    x, f = leaf([1.0]), frozen([2.0])
    one_frozen = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g * 5, None))
    one_frozen.apply(x, f).backward()
    y = Mul.apply(f, f)
    return [x.grad, f.grad, y.stop_gradient, y.is_leaf]


@cases
def saved_tensors():
    seen = []

    def forward(ctx, x):
        seen.append(ctx.saved_tensor())
        seen.append(ctx.save_for_backward(x, None, 1 * x))
        y = x * 3
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, g):
        saved = ctx.saved_tensor()
        seen.append([type(saved).__name__, len(saved), saved[0] is x])
        return g * saved[0]

    x = leaf([2.0])
    layer(forward, backward).apply(x).backward()
    return [seen, x.grad]


@cases
def saved_nothing():
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward()
        return x * 1

    layer(forward, lambda ctx, g: seen.append(ctx.saved_tensor()) or g).apply(leaf([1.0])).backward()
    return [list(seen[0]), type(seen[0]).__name__]


@cases
def no_version_check_on_saved():
    x = leaf([2.0])
    h = x * 1

    def forward(ctx, t):
        ctx.save_for_backward(t)
        return t * t

    y = layer(forward, lambda ctx, g: g * ctx.saved_tensor()[0] * 2).apply(h)
    h.scale_(10.0)
    y.backward()
    return x.grad


@cases
def gradient_dtype():
    """Incoming gradients have the output's dtype; an outgoing one of another dtype stays so at a leaf."""
    seen = []

    def backward(ctx, g):
        seen.append(dtype_name(g))
        return g.astype("float64")

    x = leaf([1.0], "float32")
    y = layer(double, backward).apply(x)
    (y.astype("float64") * 2).backward()
    z = leaf([1.0], "float32")
    layer(double, backward).apply(z * 2).backward()
    return [seen, x.grad, z.grad]


@cases
def hooks_around():
    seen = []

    def backward(ctx, g):
        seen.append(["backward", g.item()])
        return g * 2

    x = leaf([1.0])
    x.register_hook(lambda g: seen.append(["input", g.item()]))
    y = layer(double, backward).apply(x)
    y.register_hook(lambda g: seen.append(["output", g.item()]) or g * 10)
    y.backward()
    return [seen, x.grad]


@cases
def in_place_on_a_non_leaf():
    def forward(ctx, x):
        return x.scale_(3.0)

    x = leaf([2.0])
    h = x * 5
    y = layer(forward, lambda ctx, g: g * 3).apply(h)
    y.backward()
    return {"same": y is h, "version": h.inplace_version, "value": h, "grad": x.grad}


@cases
def none_gradient():
    """None for one path leaves the other alone; at a leaf nothing is stored."""
    nothing = layer(double, lambda ctx, g: None)
    x, y = leaf([1.0]), leaf([2.0])
    (nothing.apply(y) + y * 3).backward()
    nothing.apply(x).backward()
    return [x.grad, y.grad]


@cases
def none_gradient_reaching_another_layer():
    seen = []
    nothing = layer(double, lambda ctx, g: None)
    inner = layer(double, lambda ctx, g: seen.append(g.tolist()) or g)
    x = leaf([1.0])
    nothing.apply(inner.apply(x)).backward()
    return [seen, x.grad]


@cases
def chain_of_layers():
    x = leaf(data(3))
    y = x
    for _ in range(5):
        y = Tanh.apply(y) * 1.5
    y.sum().backward()
    return x.grad


@cases
def twice_differentiated():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return g * 3 * x * x

    x = leaf([2.0])
    y = layer(forward, backward).apply(x)
    (first,) = paddle.grad(y, x, create_graph=True)
    (second,) = paddle.grad(first, x)
    return [first, second]


@cases
def twice_through_saved_output():
    x = leaf(data(3))
    (first,) = paddle.grad(Tanh.apply(x).sum(), x, create_graph=True)
    first.sum().backward()
    return [first, x.grad]


@cases
def once_differentiable():
    once = layer(tanh_forward, paddle.autograd.py_layer.once_differentiable(tanh_backward))
    x = leaf([0.5])
    (first,) = paddle.grad(once.apply(x), x, create_graph=True)
    return [first, raises(lambda: paddle.grad(first, x), "allow_unused")]


@cases
def backward_inside_backward():
    """Recomputation: the forward is run again, recorded, inside the backward."""

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp() * x

    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        x = x.detach()
        x.stop_gradient = False
        with paddle.enable_grad():
            y = x.exp() * x
        paddle.autograd.backward([y], [g])
        return x.grad

    x = leaf(data(3))
    layer(forward, backward).apply(x).sum().backward()
    return x.grad


@cases
def layer_inside_a_layer():
    def forward(ctx, x):
        return Tanh.apply(x) * 2

    x = leaf(data(2))
    y = layer(forward, lambda ctx, g: g * 7).apply(x)
    y.sum().backward()
    return [y, x.grad]


@cases
def attributes_and_aliases():
    seen = []

    def forward(ctx, x, k):
        ctx.k = k
        return x * k

    def backward(ctx, g):
        seen.append([hasattr(ctx, "unset"), hasattr(ctx, "needs_input_grad")])
        seen.append(raises(lambda: ctx.unset).kind)
        return g * ctx.k

    x = leaf([1.0])
    layer(forward, backward).apply(x, 4).backward()
    return [seen, x.grad]


WRONG_BACKWARD = {  # the answer of backward to two trainable inputs
    "one for two": lambda ctx, g: g,
    "three for two": lambda ctx, g: (g, g, g),
    "surplus None": lambda ctx, g: (g, g, None),
    "number": lambda ctx, g: (g, 1.0),
    "numpy": lambda ctx, g: (g, np.ones(1)),
    "string": lambda ctx, g: ("a", g),
    "raising": lambda ctx, g: {}["the lost key"],
    "wrong arity": lambda ctx: None,
}
KEY_WORDS = {
    "one for two": ["should not return empty at 1 position"],
    "three for two": ["should be 2, but received 3"],
    "surplus None": ["should be 2, but received 3"],
    "number": ["We can only support Tensor or None", "float"],
    "numpy": ["We can only support Tensor or None"],
    "string": ["We can only support Tensor or None"],
    "raising": ["KeyError", "the lost key"],
    "wrong arity": ["TypeError"],
}
for text, backward in WRONG_BACKWARD.items():

    def wrong(backward=backward, words=KEY_WORDS[text]):
        x, y, other = leaf([1.0]), leaf([2.0]), leaf([3.0])
        out = layer(lambda ctx, a, b: a * b, backward).apply(x, y) * other
        found = raises(out.backward, *words)
        return {"raised": found, "mode": paddle.is_grad_enabled(), "grads": [x.grad, y.grad, other.grad]}

    cases.add(f"backward answers {text}", wrong)


@cases
def frozen_slot_must_be_none():
    Custom = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g, g))
    return raises(Custom.apply(leaf([1.0]), frozen([2.0])).backward, "should return None at 1 position")


@cases
def list_slot_must_be_a_list():
    Custom = layer(lambda ctx, ts: ts[0] * ts[1], lambda ctx, g: g)
    return raises(Custom.apply([leaf([1.0]), leaf([2.0])]).backward, "list or tuple")


@cases
def missing_methods():
    x = leaf([1.0])
    no_backward = layer(double).apply(x)
    return [
        raises(lambda: type("Empty", (PyLayer,), {}).apply(x), "forward"),
        raises(no_backward.backward, "backward"),
    ]


@cases
def forward_raises():
    def forward(ctx, x):
        raise LookupError("as it is")

    return [raises(lambda: layer(forward).apply(leaf([1.0])), "as it is"), paddle.is_grad_enabled()]


WRONG_OUTPUT = {
    "None": None,
    "number": 1.0,
    "numpy": np.ones(1),
    "dict": {},
    "empty tuple": (),
    "strings": ("a", "b"),
}
for text, value in WRONG_OUTPUT.items():

    def no_tensor(value=value):
        Custom = layer(lambda ctx, x: value, lambda ctx, g: g)
        words = ["At least one output", "Tensor"]
        trainable = raises(lambda: Custom.apply(leaf([1.0])), *words)
        return [trainable, raises(lambda: Custom.apply(frozen([1.0])), *words)]

    cases.add(f"forward returns {text}", no_tensor)


@cases
def other_errors():
    def materialize(ctx, x):
        ctx.set_materialize_grads(1)
        return x * 1

    return {
        "materialize": raises(lambda: layer(materialize).apply(leaf([1.0])), "bool"),
        "leaf in place": raises(lambda: layer(lambda ctx, x: x).apply(leaf([1.0])), "inplace strategy"),
    }
