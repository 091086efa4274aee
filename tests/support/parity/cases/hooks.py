"""Section 5: gradient hooks, their order and effects; saved_tensors_hooks; section 6: grad modes."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, raises

F = paddle.nn.functional
cases = Family("hooks")


def observe_and_replace():
    x = leaf([1.0, 2.0])
    seen = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    x.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: seen.append(g.tolist()))
    (x * x).sum().backward()
    return {"seen": seen, "grad": x.grad}


def handle():
    x = leaf([1.0])
    h = x.register_hook(lambda g: g * 10)
    answers = [h.remove(), h.remove()]
    (x * 2).backward()
    return [*answers, x.grad]


def removed_between_two_backwards():
    x = leaf([1.0])
    h = x.register_hook(lambda g: g * 10)
    (x * 2).backward()
    h.remove()
    (x * 2).backward()
    return x.grad


def order_across_a_chain():
    x = leaf([1.0])
    seen, y = [], x
    for i in range(4):
        y.register_hook(lambda g, i=i: seen.append(i))
        y = y * 2
    y.register_hook(lambda g: seen.append(["root", g.item()]))
    y.backward()
    return seen


def before_accumulation():
    x = leaf([1.0])
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    for _ in range(3):
        (x * 2).backward()
    return [seen, x.grad]


def sees_the_sum():
    x = leaf([1.0])
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 2 + x * 3 + x).backward()
    return seen


def interior_replacement():
    x = leaf([1.0])
    h = x * 2
    h.register_hook(lambda g: g * 0)
    (h * 3 + x).backward()
    return x.grad


def retain_grads_has_its_place():
    found = []
    for first in (True, False):
        x = leaf([1.0])
        h = x * 2
        if first:
            h.retain_grads()
        h.register_hook(lambda g: g * 10)
        if not first:
            h.retain_grads()
        (h * 3).backward()
        found.append([h.grad, x.grad])
    return found


def with_several_outputs():
    x = leaf(data(4))
    a = paddle.split(x, 2)[0]
    seen = []
    a.register_hook(lambda g: seen.append(["a", g.tolist()]))
    (a * 2).sum().backward()
    return {"seen": sorted(seen), "grad": x.grad}


def grad_mode_inside():
    x = leaf([1.0])
    seen = []
    x.register_hook(lambda g: seen.append(paddle.is_grad_enabled()))
    (x * 2).backward()
    with paddle.no_grad():
        (y := x * 2)
    z = x * 2
    with paddle.no_grad():
        z.backward()
    return [seen, y.stop_gradient]


def failing(gradient):
    raise KeyError("the hook's own words")


def errors():
    x, f = leaf([1.0]), frozen([1.0])
    x.register_hook(failing)
    return {
        "frozen": raises(lambda: f.register_hook(print), "Cannot register hook"),
        "raising": raises(lambda: (x * 2).backward(), "KeyError", "own words"),
        "grad": x.grad,
    }


def modes_nest():
    enabled = paddle.is_grad_enabled
    seen = [enabled()]
    with paddle.no_grad():
        seen.append(enabled())
        with paddle.enable_grad():
            seen.append(enabled())
        seen.append(enabled())
    with paddle.set_grad_enabled(False):
        seen.append(enabled())
    seen.append(enabled())
    return seen


def mode_after_an_exception():
    try:
        with paddle.no_grad():
            raise ValueError
    except ValueError:
        return paddle.is_grad_enabled()


def modes_as_decorators():
    @paddle.no_grad()
    def off(x):
        return x * 2

    @paddle.enable_grad()
    def on(x):
        return x * 2

    x = leaf([1.0])
    with paddle.no_grad():
        inside = on(x)
    return [off(x).stop_gradient, inside.stop_gradient, off.__name__]


def set_grad_enabled_at_once():
    handle = paddle.set_grad_enabled(False)
    off = paddle.is_grad_enabled()
    paddle.set_grad_enabled(True)
    return [off, paddle.is_grad_enabled(), handle is not None]


PACKED = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "tanh": lambda x, y: x.tanh(),
    "exp": lambda x, y: x.exp(),
    "log": lambda x, y: x.log(),
    "matmul": lambda x, y: x @ y,
    "scale": lambda x, y: x * 2,
    "sum": lambda x, y: x.sum(),
    "relu": lambda x, y: F.relu(x),
    "sigmoid": lambda x, y: F.sigmoid(x),
    "square": lambda x, y: x.square(),
}


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


def saved_tensors_hooks_do_not_nest():
    hooks = paddle.autograd.saved_tensors_hooks

    def nested():
        with hooks(lambda t: t, lambda t: t), hooks(lambda t: t, lambda t: t):
            pass

    return raises(nested, "only one pair of hooks")
