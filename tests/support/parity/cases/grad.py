"""Section 4: paddle.grad, its arguments, and gradients of gradients."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, leaf

F = paddle.nn.functional
cases = Family("grad")


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
