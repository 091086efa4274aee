"""Section 7: in-place operations, versions, errors."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("inplace")

METHODS = {
    "add_": lambda t: t.add_(frozen(data(2, 3, seed=2))),
    "subtract_": lambda t: t.subtract_(frozen(data(2, 3, seed=2))),
    "multiply_": lambda t: t.multiply_(frozen(data(2, 3, seed=2))),
    "divide_": lambda t: t.divide_(frozen(data(2, 3, seed=2))),
    "add_ broadcast": lambda t: t.add_(frozen(data(3, seed=2))),
    "scale_": lambda t: t.scale_(2.0),
    "scale_ bias": lambda t: t.scale_(scale=2.0, bias=1.0),
    "clip_": lambda t: t.clip_(0.5, 1.0),
    "exp_": lambda t: t.exp_(),
    "sqrt_": lambda t: t.sqrt_(),
    "tanh_": lambda t: t.tanh_(),
    "abs_": lambda t: t.abs_(),
    "zero_": lambda t: t.zero_(),
    "fill_": lambda t: t.fill_(3.0),
    "reshape_": lambda t: t.reshape_([3, 2]),
    "unsqueeze_": lambda t: t.unsqueeze_(0),
    "squeeze_": lambda t: t.squeeze_(),
    "flatten_": lambda t: t.flatten_(),
    "setitem": lambda t: t.__setitem__(0, 5.0),
    "assign": lambda t: paddle.assign(frozen(data(2, 3, seed=2)), t),
    "relu_": lambda t: paddle.nn.functional.relu_(t),
    "reciprocal_": lambda t: t.reciprocal_(),
    "floor_": lambda t: t.floor_(),
    "set_value": lambda t: t.set_value(data(2, 3, seed=2)),
}


def on_frozen(method):
    t = frozen(data(2, 3, low=0.3))
    method(t)
    return {"value": t, "version": t.inplace_version, "stop_gradient": t.stop_gradient}


def on_non_leaf(method):
    """The gradient goes through the changed tensor."""
    x = leaf(data(2, 3, low=0.3))
    t = x * 2
    method(t)
    (t * frozen(data(*t.shape, seed=3))).sum().backward()
    return {"value": t, "version": t.inplace_version, "grad": x.grad, "is_leaf": t.is_leaf}


def on_leaf(method):
    x = leaf(data(2, 3, low=0.3))
    return {"raised": raises(lambda: method(x), "inplace strategy"), "version": x.inplace_version}


for text, method in METHODS.items():
    cases.add(f"{text} on frozen", on_frozen, method)
    if text != "assign":
        cases.add(f"{text} on a non-leaf", on_non_leaf, method)
    if text not in {"set_value", "assign"}:  # these write on leaves too
        cases.add(f"{text} on a leaf", on_leaf, method)


STALE = {  # what saved its input or output, then that was changed
    "multiply": (lambda h: h * h, True),
    "exp": (lambda h: h.exp(), False),
    "log": (lambda h: h.log(), True),
    "tanh": (lambda h: h.tanh(), False),
    "matmul": (lambda h: h @ h, True),
    "square": (lambda h: h.square(), True),
    "add": (lambda h: h + h, True),
    "scale": (lambda h: h * 3, True),
    "sum": (lambda h: h.sum(axis=0), True),
    "sin": (lambda h: h.sin(), True),
}


def stale(fn, change_input):
    """Change the input, or the output, after it was used."""
    x = leaf(data(2, 2, low=0.5))
    h = x * 1
    out = fn(h)
    total = (out * 1).sum()
    (h if change_input else out).add_(paddle.ones([2, 2], "float64"))
    return {"raised": raises(total.backward), "grad": x.grad}


for text, (fn, change_input) in STALE.items():
    cases.add(f"stale {text}", stale, fn, change_input)


def after(tensor):
    return [tensor, tensor.inplace_version, tensor.is_leaf, tensor.stop_gradient]


MIXED = {
    "exp_ int32": lambda: frozen([1, 3], "int32").exp_(),
    "divide_ int64": lambda: frozen([1, 3]).divide_(frozen([2, 2])),
    "add_ float32 float64": lambda: frozen([1.0, 3.0]).add_(frozen([0.5, 0.5], "float64")),
    "multiply_ float32 complex64": lambda: abs(frozen([1.0, 3.0]).multiply_(frozen([1j, 1j], "complex64"))),
    "abs_ complex64": lambda: frozen([3 + 4j, 1j], "complex64").abs_(),
    "cast_": lambda: frozen([1.5, 3.0]).cast_("int64"),
    "cast_ computed": lambda: (leaf([1.5, 3.0]) * 2).cast_("float64"),
    "masked_fill_": lambda: frozen([1, 3], "int32").masked_fill_(frozen([True, False]), 2.5),
    "pow_ int64": lambda: frozen([2, 3]).pow_(2),
}
for text, write in MIXED.items():
    cases.add(f"mixed {text}", lambda write: after(write()), write)


def leaf_without_a_gradient(method):
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    same = getattr(x, method)(paddle.to_tensor([1.0, 5.0, 2.0])) is x
    return same, x.numpy(), x.stop_gradient, x.is_leaf


for method in ("floor_divide_",):
    cases.add(f"a leaf, where no gradient passes: {method}", leaf_without_a_gradient, method)
