"""Section 5: gradient hooks, their order and effects; saved_tensors_hooks; section 6: grad modes."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf

F = paddle.nn.functional
cases = Family("hooks")


def handle():
    x = leaf([1.0])
    h = x.register_hook(lambda g: g * 10)
    answers = [h.remove(), h.remove()]
    (x * 2).backward()
    return [*answers, x.grad]


PACKED = cases.table("packed", globals())


def packed(fn):
    """How many tensors an op saves, and that the gradient goes through what unpack returns."""
    x, y, seen = leaf(data(2, 2, low=0.5)), leaf(data(2, 2, seed=2, low=0.5)), []

    def pack(t):
        seen.append(list(t.shape))
        return t.numpy()

    with paddle.autograd.saved_tensors_hooks(pack, lambda array: frozen(array * 2)):
        z = fn(x, y)
    z.sum().backward()
    return {"packed": len(seen), "x": x.grad, "y": y.grad}


for text, fn in PACKED.items():
    cases.add(f"saved tensors of {text}", packed, fn)
