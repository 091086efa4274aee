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


DEEP = cases.table("deep", globals())


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
