"""Section 3: backward(), accumulation, retained and freed graphs, autograd.backward."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, dtype_name, frozen, leaf, py_layer, raises

cases = Family("backward")


def seeds():
    found = {}
    for name, seed in {"default": None, "given": data(2, 3, seed=2)}.items():
        x = leaf(data(2, 3))
        answer = (x * x).backward(None if seed is None else frozen(seed))
        found[name] = [answer, x.grad]
    return found


def seed_is_not_modified():
    x, seed = leaf(data(3)), frozen(np.ones(3))
    x.register_hook(lambda g: g * 5)
    (x * 2).backward(seed)
    x.backward(seed)
    return [seed, x.grad]


def on_a_frozen_tensor():
    x = frozen(data(2))
    return [x.backward(), x.grad, (x * 2).backward()]


def on_a_leaf():
    x = leaf(data(2))
    x.register_hook(lambda g: g * 3)
    x.backward()
    x.backward(frozen(data(2, seed=2)))
    return x.grad


def inside_no_grad():
    x = leaf(data(2))
    y = x * x
    with paddle.no_grad():
        y.backward()
    return x.grad


def accumulates():
    x = leaf([1.0, 2.0])
    seen = []
    for _ in range(3):
        (x * x).sum().backward()
        seen.append(x.grad.clone())
    return seen


def diamond_is_summed_before_it_is_passed_on():
    x = leaf([2.0])
    h = x * x
    calls = []
    h.register_hook(lambda g: calls.append(g.item()))
    (h * 3 + h * 4 + h).backward()
    return {"calls": calls, "grad": x.grad}


def interior_gradients():
    x = leaf([2.0])
    plain, kept = x * 3, x * 5
    answer = kept.retain_grads()
    (plain * kept).backward(retain_graph=True)
    first = kept.grad.clone()
    (plain * kept * 2).backward()
    return {"answer": answer, "plain": plain.grad, "kept": [first, kept.grad], "x": x.grad}


def retain_grads_is_harmless():
    x, f = leaf([1.0]), frozen([1.0])
    answers = [x.retain_grads(), f.retain_grads()]
    (x * f).backward()
    return [*answers, x.grad, f.grad]


def retain_graph_twice():
    x = leaf([2.0])
    y = (x * x).exp()
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


FREED = {
    "multiply": lambda x: x * x,
    "add": lambda x: x + x,
    "chain": lambda x: (x * 3).exp().sum(),
    "tanh": lambda x: x.tanh(),
    "sum": lambda x: x.sum(),
    "reshape": lambda x: x.reshape([1, 1]),
}


def twice(make):
    x = leaf([2.0])
    y = make(x)
    y.backward()
    return {"again": raises(y.backward, "retain_graph"), "grad": x.grad}


for text, make in FREED.items():
    cases.add(f"freed graph of {text}", twice, make)


def shared_trunk_freed():
    x = leaf([2.0])
    trunk = x * x
    a, b = trunk * 3, trunk * 4
    a.backward()
    return {"b": raises(b.backward, "retain_graph"), "grad": x.grad}


def grad_attributes():
    x = leaf(data(2), "float64")
    before = x.grad
    (x * 2).sum().backward()
    g = x.grad
    return [before, list(g.shape), dtype_name(g), g.is_leaf, x.gradient()]


def grad_can_be_assigned():
    x = leaf([1.0, 2.0])
    x.grad = frozen([10.0, 20.0])
    (x * 2).sum().backward()
    first = x.grad.clone()
    x.grad = None
    none = x.grad
    (x * 2).sum().backward()
    return [first, none, x.grad]


def clearing():
    x = leaf([1.0, 2.0])
    x.clear_grad()
    x.clear_gradient()
    found = {"before": x.grad}
    for name, clear in {
        "clear_grad": x.clear_grad,
        "clear_gradient": x.clear_gradient,
        "to zero": lambda: x.clear_gradient(True),
        "to none": lambda: x.clear_gradient(False),
    }.items():
        (x * 2).sum().backward()
        clear()
        found[name] = x.grad
    return found


def long_chain():
    x = leaf([1.0])
    y = x
    for _ in range(3000):
        y = y + 0.001
    y.backward()
    return [x.grad, y]


def no_operand_wants_a_gradient():
    x, f = leaf([2.0]), frozen([3.0])
    (x * f + f).backward()
    return [x.grad, f.grad]


def errors():
    x = leaf(data(2, 3))
    y = x * 2
    return {
        "seed shape": raises(lambda: y.backward(frozen(data(3))), "shape not match"),
        "seed list": raises(lambda: y.backward([1.0])),
        "seed numpy": raises(lambda: y.backward(data(2, 3)), "must be paddle.Tensor"),
        "grad number": raises(lambda: setattr(x, "grad", 1.0)),
        "grad numpy": raises(lambda: setattr(x, "grad", data(2, 3))),
    }


def several_roots():
    x = leaf([2.0])
    a, b = x * x, x * 3
    paddle.autograd.backward([a, b], [frozen([1.0]), None])
    first = x.grad.clone()
    paddle.autograd.backward(x * 7)
    paddle.autograd.backward([x * 2], None)
    return [first, x.grad]


def root_feeding_a_root():
    x = leaf([2.0])
    a = x * x
    b = a * 3
    paddle.autograd.backward([a, b], [frozen([10.0]), frozen([1.0])])
    return x.grad


def root_retained():
    x = leaf([2.0])
    a = x * x
    paddle.autograd.backward([a], retain_graph=True)
    paddle.autograd.backward([a])
    return x.grad


def several_roots_errors():
    x = leaf([2.0])
    y = x * 2
    backward = paddle.autograd.backward
    return {
        "None": raises(lambda: backward(None), "should not be None"),
        "empty": raises(lambda: backward([]), "empty"),
        "number": raises(lambda: backward([1.0]), "Tensor"),
        "repeated": raises(lambda: backward([y, y]), "duplicate"),
        "length": raises(lambda: backward([y], [None, None]), "length"),
        "seed": raises(lambda: backward([y], [1.0]), "grad_tensors"),
        "retain": raises(lambda: backward([y], retain_graph=1), "retain_graph"),
    }


def flags(tensor):
    return [tensor.stop_gradient, tensor.is_leaf, str(tensor)]


def stored_gradients_do_not_stop_gradients():
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    h = x * y
    h.retain_grads()
    (h * h).sum().backward()
    first = flags(x.grad)
    (x * 3).sum().backward()
    again = flags(x.grad)
    x.clear_grad()
    return [first, again, flags(y.grad), flags(h.grad), flags(x.grad)]


def returned_gradients_stop_them_unless_recorded():
    x = leaf([1.0, 2.0])
    return [
        flags(paddle.grad((x * x).sum(), x)[0])[::2],
        flags(paddle.grad((x * x).sum(), x, create_graph=True)[0])[::2],
    ]


def gradients_that_user_code_sees():
    seen = []
    layer = py_layer(lambda ctx, x: x * 2, lambda ctx, g: seen.append(flags(g)) or g * 2)
    x = leaf([1.0, 2.0])
    h = layer.apply(x * 1)
    h.register_hook(lambda g: seen.append(flags(g)))
    x.register_hook(lambda g: seen.append(flags(g)))
    h.sum().backward()
    with paddle.no_grad():
        x.grad.add_(x.grad)
    return [seen, x.grad.numpy(), raises(lambda: x.grad.scale_(2.0), "Leaf Var", "inplace strategy")]


def gradient_of_a_gradient_that_was_stored():
    x = leaf([1.0, 2.0])
    (x * x).sum().backward()
    (x.grad * x.grad).sum().backward()
    return x.grad.grad


def seeded(backward, seed):
    x = leaf([1.0, 2.0])
    found = backward((x * x).sum(), x, paddle.to_tensor(seed))
    return [found, x.grad]


def one_element_for_a_number():
    return [
        seeded(lambda y, x, seed: paddle.autograd.backward([y], [seed]), [3.0]),
        seeded(lambda y, x, seed: paddle.autograd.backward([y], [seed]), [[3.0]]),
        seeded(lambda y, x, seed: paddle.grad(y, x, seed), [3.0]),
        seeded(lambda y, x, seed: paddle.grad([y], [x], [seed], create_graph=True), [3.0]),
        raises(lambda: seeded(lambda y, x, seed: y.backward(seed), [3.0]), "shape not match"),
    ]


WRONG = {"text": "a", "number": 3, "numbers": [3], "dict": {"a": 1}, "array": np.ones(2), "class": type}
for text, wrong in WRONG.items():
    cases.add(
        f"wrong type {text}",
        lambda wrong: [
            raises(lambda: paddle.grad(leaf(1.0) * 2, leaf(1.0), no_grad_vars=wrong)),
            raises(lambda: paddle.grad(wrong, leaf(1.0))),
            raises(lambda: paddle.grad(leaf(1.0) * 2, wrong)),
            raises(lambda: paddle.grad(leaf(1.0) * 2, leaf(1.0), wrong)),
            raises(lambda: paddle.grad(leaf(1.0) * 2, leaf(1.0), create_graph=wrong)),
            raises(lambda: (leaf(1.0) * 2).backward(wrong)),
            raises(lambda: (leaf(1.0) * 2).backward(retain_graph=wrong)),
            raises(lambda: paddle.autograd.backward(wrong)),
            raises(lambda: paddle.autograd.backward([leaf(1.0) * 2], wrong)),
            raises(lambda: paddle.autograd.backward([leaf(1.0) * 2], retain_graph=wrong)),
        ],
        wrong,
    )
