"""Section 4: paddle.grad, its arguments, and gradients of gradients."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

F = paddle.nn.functional
cases = Family("grad")


def order_of_inputs():
    x, y = leaf([2.0]), leaf([3.0])
    z = x * x * y
    return [
        paddle.grad(z, [x, y], retain_graph=True),
        paddle.grad(z, [y, x], retain_graph=True),
        x.grad,
        y.grad,
    ]


def results_are_frozen_unless_create_graph():
    x = leaf([2.0])
    plain = paddle.grad(x * x, x)
    deep = paddle.grad(x * x, x, create_graph=True)
    return {"kind": type(plain).__name__, "frozen": [plain[0].stop_gradient, deep[0].stop_gradient]}


def several_outputs_are_summed():
    x = leaf([1.0, 2.0])
    return paddle.grad([x * 2, (x * x).sum()], x)


def grad_outputs():
    x = leaf([1.0, 2.0])
    outs = [x * 2, x * x]
    return [
        paddle.grad(outs, x, [frozen([1.0, 10.0]), None], retain_graph=True),
        paddle.grad(outs[1], x, frozen([5.0, 6.0]), retain_graph=True),
    ]


def of_itself():
    x = leaf([1.0, 2.0])
    return paddle.grad(x, x)


def of_an_intermediate():
    x = leaf([2.0])
    h = x * x
    y = h * h
    return paddle.grad(y, [h, x])


def graph_stays_for_later():
    x = leaf([2.0])
    y = x * x
    first = paddle.grad(y, x, retain_graph=True)
    y.backward()
    return [first, x.grad]


def allow_unused():
    x, y, f = leaf([1.0]), leaf([2.0]), frozen([3.0])
    return paddle.grad(x * f, [x, y, f], allow_unused=True)


def no_grad_vars():
    found = {}
    for name, wrap in {
        "tensor": lambda t: t,
        "list": lambda t: [t],
        "tuple": lambda t: (t,),
        "set": lambda t: {t},
    }.items():
        x = leaf([2.0])
        h = x * x
        found[name] = [paddle.grad(h * x, x, no_grad_vars=wrap(h)), h.stop_gradient]
    return found


def around(*wanted, no_grad, outputs="z", unused=True):
    """Gradients of z = y * x, y = x * x, and of both."""
    x = leaf([1.0, 2.0])
    y = x * x
    known = {"x": x, "y": y, "z": y * x}
    asked = [[known[name] for name in names] for names in (outputs, wanted, no_grad)]
    return paddle.grad(*asked[:2], no_grad_vars=asked[2], allow_unused=unused)


cases.add("no_grad_vars naming the output", lambda: around("x", outputs="y", no_grad="y", unused=False))
cases.add("no_grad_vars naming one of two outputs", lambda: around("x", "y", outputs="zy", no_grad="z"))
cases.add("no_grad_vars naming an input", lambda: around("x", "y", no_grad="y", unused=False))
cases.add(
    "no_grad_vars naming an output that another is made of",
    lambda: around("x", outputs="zy", no_grad="y"),
    ours=[np.array([3.0, 8.0], "float32")],
)


def hooks_of_requested_tensors():
    x = leaf([2.0])
    h = x * 3
    x.register_hook(lambda g: g * 100)
    h.register_hook(lambda g: g * 10)
    return paddle.grad(h * h, [x])


def leaf_not_asked_for_keeps_its_grad():
    x, w = leaf([2.0]), leaf([3.0])
    paddle.grad(x * w, x)
    return [x.grad, w.grad]


def errors():
    x, y, f = leaf([1.0]), leaf([2.0]), frozen([3.0])
    z = x * 2 + f

    def grad(outputs=z, inputs=x, **options):
        return lambda: paddle.grad(outputs, inputs, retain_graph=True, **options)

    return {
        "unreachable": raises(grad(inputs=[x, y]), "1-th", "allow_unused"),
        "frozen": raises(grad(inputs=f), "0-th", "allow_unused"),
        "repeated input": raises(grad(inputs=[x, x]), "duplicate"),
        "repeated output": raises(grad(outputs=[z, z]), "duplicate"),
        "outputs None": raises(grad(outputs=None), "outputs"),
        "outputs number": raises(grad(outputs=1.0), "outputs"),
        "outputs numbers": raises(grad(outputs=[1.0]), "outputs"),
        "inputs number": raises(grad(inputs=1.0), "inputs"),
        "inputs empty": raises(grad(inputs=[]), "inputs"),
        "inputs None": raises(grad(inputs=None), "inputs"),
        "seeds length": raises(grad(grad_outputs=[None, None]), "grad_outputs"),
        "seeds type": raises(grad(grad_outputs=[1.0]), "grad_outputs"),
        "no_grad_vars": raises(grad(no_grad_vars=1), "no_grad_vars"),
        "no_grad_vars items": raises(grad(no_grad_vars=[1]), "no_grad_vars"),
        "create_graph": raises(grad(create_graph=1), "create_graph"),
        "retain_graph": raises(lambda: paddle.grad(z, x, retain_graph=1), "retain_graph"),
        "allow_unused": raises(grad(allow_unused=1), "allow_unused"),
        "only_inputs": raises(grad(only_inputs=False), "only_inputs"),
    }


DEEP = {  # how often Paddle can differentiate it
    "softmax": (1, lambda x: F.softmax(x) * x),
    "pow tensor": (1, lambda x: x**x),
    "gelu": (1, lambda x: F.gelu(x)),
    "cumsum": (1, lambda x: x.cumsum(0) * x * x),
    "max": (1, lambda x: x.max(axis=0) * x * x),
    "x ** 3": (3, lambda x: x**3),
    "x * x * x": (3, lambda x: x * x * x),
    "exp": (3, lambda x: x.exp()),
    "log": (3, lambda x: x.log()),
    "sqrt": (2, lambda x: x.sqrt()),
    "tanh": (3, lambda x: x.tanh()),
    "sigmoid": (3, lambda x: F.sigmoid(x)),
    "sin": (3, lambda x: x.sin()),
    "cos": (3, lambda x: x.cos()),
    "square": (2, lambda x: x.square()),
    "relu": (2, lambda x: F.relu(x) * x * x),
    "1 / x": (2, lambda x: 1 / x),
    "divide": (2, lambda x: x / (x + 1)),
    "mean": (3, lambda x: (x * x).mean() * x),
    "sum axis": (3, lambda x: (x * x).sum(axis=0) * x),
    "matmul": (3, lambda x: (x @ x.T) @ x),
    "reshape": (3, lambda x: (x.reshape([4]) ** 3).reshape([2, 2])),
    "transpose": (3, lambda x: x.T * x * x),
    "slice": (3, lambda x: x[0] * x[1] * x[0]),
    "concat": (3, lambda x: paddle.concat([x * x, x * x * x])),
    "stack": (3, lambda x: paddle.stack([x * x, x]) * x),
    "broadcast": (3, lambda x: x[0] * x * x),
    "expand": (3, lambda x: (x[0].expand([3, 2])) ** 3),
    "maximum": (3, lambda x: paddle.maximum(x * x, x)),
    "where": (3, lambda x: paddle.where(x > 1, x**3, x**2)),
    "clip": (3, lambda x: (x * x).clip(0.5, 2)),
    "abs": (3, lambda x: (x - 1).abs() * x * x),
    "scale": (3, lambda x: (x * 3 + 1) ** 2),
    "silu": (2, lambda x: F.silu(x)),
    "leaky_relu": (2, lambda x: F.leaky_relu(x - 1) * x),
    "gather": (3, lambda x: paddle.gather(x, paddle.to_tensor([0, 0])) * x * x),
}


def repeatedly(order, fn):
    """First, second and perhaps third derivative of the sum of everything."""
    x = leaf(data(2, 2, low=0.4, high=2))
    found, y = [], fn(x)
    for left in range(order - 1, -1, -1):
        (g,) = paddle.grad(y.sum(), x, create_graph=left > 0, allow_unused=True)
        y = x * 0 if g is None or (g.stop_gradient and left) else g  # a constant: the rest is zero
        found.append(y if g is None else g)
    return found


for text, (order, fn) in DEEP.items():
    cases.add(f"{text}, {order} times", repeatedly, order, fn)


def gradient_penalty():
    x, w = leaf(data(4, 3)), leaf(data(3, 2, seed=2))
    out = F.tanh(x @ w).sum()
    (g,) = paddle.grad(out, x, create_graph=True)
    ((g * g).sum() + out).backward()
    return {"g": g, "x": x.grad, "w": w.grad}


def grad_outputs_is_differentiated_too():
    x, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (g,) = paddle.grad(x * x, x, v, create_graph=True)
    return paddle.grad(g.sum(), [x, v])


def second_of_a_linear_function_is_unused():
    x = leaf([2.0])
    (g,) = paddle.grad(x * 3, x, create_graph=True)
    return [g, raises(lambda: paddle.grad(g * x.detach(), x), "allow_unused")]
