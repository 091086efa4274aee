"""Section 9: `gradients`: seeds, several targets and inputs, what has no gradient, refusals."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, names, ones, run, types, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_backward_gradients")
X = np.array([1.0, 2.0], "float32")


def one_target():
    x = feed("x", 2)
    found = S.gradients(paddle.sum(paddle.exp(x)), x)
    return {"names": names(found), "program": listing(), "values": run(found, {"x": X})}


def lists_and_single_variables_are_alike():
    x = feed("x", 2)
    y = paddle.sum(x * x)
    forms = ((y, x), ([y], x), (y, [x]), ((y,), (x,)))
    return [names(S.gradients(targets, inputs)) for targets, inputs in forms]


def target_of_many_elements():
    x = feed("x", 2)
    found = S.gradients(x * x * x, x)
    return {"program": listing(), "values": run(found, {"x": X})}


def several_inputs():
    x, y, unused = feed("x", 2), feed("y", 2), feed("unused", 2)
    stopped = feed("stopped", 2, stop=True)
    found = S.gradients(paddle.sum(x * y * stopped), [y, unused, x, stopped])
    return {"names": names(found), "program": listing()}


def intermediates_as_inputs():
    x = feed("x", 2)
    h = paddle.exp(x)
    found = S.gradients(paddle.sum(h * h), [h, x])
    return {"names": names(found), "program": listing(), "values": run(found, {"x": X})}


def only_the_path_from_the_inputs():
    x, y = feed("x", 2), feed("y", 2)
    S.gradients(paddle.sum(paddle.tanh(y) + paddle.exp(x)), x)
    return listing()


def several_targets():
    x, y = feed("x", 2), feed("y", 2)
    a, b = paddle.sum(x * y), paddle.exp(x)
    found = S.gradients([a, b], [x, y])
    return {"names": names(found), "program": listing(), "values": run(found, {"x": X, "y": X})}


def target_gradients():
    x, given = feed("x", 2), feed("given", 2, stop=True)
    found = S.gradients(paddle.exp(x), x, target_gradients=given)
    return {"program": listing(), "values": run(found, {"x": X, "given": X})}


def some_target_gradients():
    x, given = feed("x", 2), feed("given", 2, stop=True)
    found = S.gradients([paddle.exp(x), x * 3.0], [x], target_gradients=[given, None])
    return {"program": listing(), "values": run(found, {"x": X, "given": X})}


def no_target_gradients_at_all():
    x = feed("x", 2)
    S.gradients([paddle.exp(x)], [x], target_gradients=[None])
    return listing()


def no_grad_set():
    x = feed("x", 2)
    h = paddle.exp(x)
    found = S.gradients(paddle.sum(h * x), x, no_grad_set={h.name})
    return {"program": listing(), "values": run(found, {"x": X})}


def input_in_no_grad_set():
    x, y = feed("x", 2), feed("y", 2)
    return names(S.gradients(paddle.sum(x * y), [x, y], no_grad_set=[y]))


@cases.ours([None])
def unreachable_alone():
    x, y = feed("x", 2), feed("y", 2)
    return names(S.gradients(paddle.sum(x), y))


@cases.ours([None])
def stopped_alone():
    x = feed("x", 2, stop=True)
    return names(S.gradients(paddle.sum(x), x))


@cases.ours([X * 0 + 1])
def of_itself():
    x = feed("x", 2)
    return run(S.gradients(x, x), {"x": X})


@cases.ours([np.array([6.0, 36.0], "float32"), np.array([3.0, 9.0], "float32")])
def target_that_feeds_another_target():
    x = feed("x", 2)
    h = x * x
    return run(S.gradients([h, h * h], [x, h]), {"x": X})


def parameters_as_inputs():
    w = weight(2)
    found = S.gradients(paddle.sum(w * w), w)
    return {"names": names(found), "program": listing(), "values": run(found)}


def second_call_beside_the_first():
    x = feed("x", 2)
    first = S.gradients(paddle.sum(paddle.exp(x)), x)
    second = S.gradients(paddle.sum(x * x), x)
    return {"names": names(first + second), "program": listing(), "values": run(first + second, {"x": X})}


def second_call_on_the_same_target():
    x = feed("x", 2)
    y = paddle.sum(paddle.exp(x))
    first, second = S.gradients(y, x), S.gradients(y, x)
    return {"names": names(first + second), "types": types(), "values": run(first + second, {"x": X})}


BUILT = {  # op: what is differentiated; listings of the gradient operators of section 10
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "maximum": lambda x, y: paddle.maximum(x, y),
    "where": lambda x, y: paddle.where(x > y, x, y),
    "broadcast": lambda x, y: x * paddle.sum(y),
    "max": lambda x, y: paddle.max(x) * y,
    "softmax": lambda x, y: paddle.nn.functional.softmax(x) * y,
    "concat": lambda x, y: paddle.concat([x, y, x]),
    "stack": lambda x, y: paddle.stack([x, y]),
    "reshape": lambda x, y: paddle.reshape(x, [2, 1]) * y,
    "transpose": lambda x, y: paddle.transpose(paddle.reshape(x, [1, 2]), [1, 0]) * y,
    "unsqueeze": lambda x, y: paddle.unsqueeze(x, 0) * y,
    "slice": lambda x, y: x[0] * y,
    "cast": lambda x, y: x.astype("float64"),
    "assign": lambda x, y: paddle.assign(x) * y,
    "clip": lambda x, y: paddle.clip(x, 0.0, 1.5) * y,
    "relu": lambda x, y: paddle.nn.functional.relu(x) * y,
    "square log abs": lambda x, y: paddle.square(x) + paddle.log(x) * paddle.abs(y),
    "sub of numbers": lambda x, y: (2.0 - x) / 4.0 - y,
    "reciprocal": lambda x, y: 2.0 / x + y,
}


def built(make):
    x, y = feed("x", 2), feed("y", 2)
    found = [g for g in S.gradients(make(x, y), [x, y]) if g is not None]
    return {"program": listing(), "values": run(found, {"x": X, "y": X[::-1].copy()})}


for text, make in BUILT.items():
    cases.add(f"through {text}", built, make)


def errors():
    x, y = feed("x", 2), feed("y", 2)
    loss = paddle.sum(x)
    return [
        raises(lambda: S.gradients("x", x), "targets"),
        raises(lambda: S.gradients(loss, "x"), "inputs"),
        raises(lambda: S.gradients(loss, x, target_gradients="x"), "target_gradients"),
        raises(lambda: S.gradients(loss, x, no_grad_set="x"), "no_grad_set"),
        raises(lambda: S.gradients(loss, x, no_grad_set=[3]), "no_grad_set"),
        raises(lambda: S.gradients(loss, x, target_gradients=[x, y]), "number"),
        raises(lambda: S.gradients(loss, x, target_gradients=[y]), "shape"),
    ]


def input_of_another_program():
    loss = paddle.sum(feed("x", 2))
    with S.program_guard(S.Program()):
        stranger = feed("z", 2)
    return raises(lambda: S.gradients(loss, stranger), "same program")


def differentiating_a_clone():
    x = feed("x", 2)
    y = paddle.sum(paddle.exp(x))
    copy = S.default_main_program().clone()
    with S.program_guard(copy):
        found = S.gradients(copy.global_block().var(y.name), copy.global_block().var("x"))
    return types(), types(copy.global_block()), run(found, {"x": ones(2)}, copy)
