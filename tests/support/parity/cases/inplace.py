"""Section 7: in-place operations, versions, errors."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("inplace")

METHODS = cases.table("methods", globals())


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


STALE = cases.table("stale", globals())


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


MIXED = cases.table("mixed", globals())
for text, write in MIXED.items():
    cases.add(f"mixed {text}", lambda write: after(write()), write)


def leaf_without_a_gradient(method):
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    same = getattr(x, method)(paddle.to_tensor([1.0, 5.0, 2.0])) is x
    return same, x.numpy(), x.stop_gradient, x.is_leaf


for method in ("floor_divide_",):
    cases.add(f"a leaf, where no gradient passes: {method}", leaf_without_a_gradient, method)
