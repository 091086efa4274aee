"""Section 10: what the context offers, gradients of odd kinds, PyLayers within PyLayers, higher orders."""

import paddle

from tests.support.parity.kit import Family, data, dtype_name, leaf, raises, tanh_layer
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer_context")


def double(ctx, x):
    return x * 2


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


def saved_nothing():
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward()
        return x * 1

    layer(forward, lambda ctx, g: seen.append(ctx.saved_tensor()) or g).apply(leaf([1.0])).backward()
    return [list(seen[0]), type(seen[0]).__name__]


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


def hooks_around():
    seen = []

    def backward(ctx, g):
        seen.append(["backward", g.item()])
        return g * 2

    x = leaf([1.0])
    x.register_hook(lambda g: seen.append(["input", g.item()]))
    y = layer(double, backward).apply(x)
    y.register_hook(lambda g: seen.append(["output", g.item()]))
    y.backward()
    return [seen, x.grad]


def in_place_on_a_non_leaf():
    def forward(ctx, x):
        return x.scale_(3.0)

    x = leaf([2.0])
    h = x * 5
    y = layer(forward, lambda ctx, g: g * 3).apply(h)
    y.backward()
    return {"same": y is h, "version": h.inplace_version, "value": h, "grad": x.grad}


def none_gradient():
    """None for one path leaves the other alone; at a leaf nothing is stored."""
    nothing = layer(double, lambda ctx, g: None)
    x, y = leaf([1.0]), leaf([2.0])
    (nothing.apply(y) + y * 3).backward()
    nothing.apply(x).backward()
    return [x.grad, y.grad]


def none_gradient_reaching_another_layer():
    seen = []
    nothing = layer(double, lambda ctx, g: None)
    inner = layer(double, lambda ctx, g: seen.append(g.tolist()) or g)
    x = leaf([1.0])
    nothing.apply(inner.apply(x)).backward()
    return [seen, x.grad]


def chain_of_layers():
    x = leaf(data(3))
    y = x
    for _ in range(5):
        y = tanh_layer().apply(y) * 1.5
    y.sum().backward()
    return x.grad


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


def twice_through_saved_output():
    x = leaf(data(3))
    (first,) = paddle.grad(tanh_layer().apply(x).sum(), x, create_graph=True)
    first.sum().backward()
    return [first, x.grad]


def once_differentiable():
    once = tanh_layer(paddle.autograd.py_layer.once_differentiable)
    x = leaf([0.5])
    (first,) = paddle.grad(once.apply(x), x, create_graph=True)
    return [first, raises(lambda: paddle.grad(first, x), "allow_unused")]


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


def layer_inside_a_layer():
    def forward(ctx, x):
        return tanh_layer().apply(x) * 2

    x = leaf(data(2))
    y = layer(forward, lambda ctx, g: g * 7).apply(x)
    y.sum().backward()
    return [y, x.grad]


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
