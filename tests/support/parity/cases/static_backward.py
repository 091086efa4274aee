"""Section 9: what append_backward adds: operators, names, roles, pairs."""

import paddle

from tests.support.parity.graphs import S, feed, listing, names, ones, pairs, run, types, weight
from tests.support.parity.kit import Family, raises, refusal

F = paddle.nn.functional
cases = Family("static_backward")


def _perceptron():
    """The documented example: two layers, a loss."""
    x, y = feed("x", -1, 3, stop=True), feed("y", -1, 1, stop=True)
    hidden = S.nn.fc(x, 4, activation="tanh")
    return paddle.mean(F.square_error_cost(S.nn.fc(hidden, 1), y))


def two_layers():
    found = S.append_backward(_perceptron())
    return {"pairs": pairs(found), "program": listing()}


def fan_out():
    x = feed("x", 2)
    found = S.append_backward(paddle.sum(paddle.exp(x) + paddle.tanh(x)))
    return {"pairs": pairs(found), "program": listing()}


def same_operand_twice():
    S.append_backward(paddle.mean(feed("x", 2) * 2))
    x = feed("z", 2)
    S.append_backward(paddle.sum(x * x))
    return listing()


def three_consumers_and_a_chain():
    x = feed("x", 2)
    h = paddle.tanh(x)
    loss = paddle.sum(paddle.exp(h) + h * 3.0 + paddle.square(h))
    S.append_backward(loss)
    return listing()


def sum_stands_before_its_first_consumer():
    x = feed("x", 2)
    h = paddle.exp(x)
    loss = paddle.mean(paddle.tanh(h) + F.sigmoid(h)) + paddle.sum(paddle.square(x))
    S.append_backward(loss)
    return types(), listing()


def shared_parameter():
    w = weight(2, 2)
    x = feed("x", -1, 2, stop=True)
    loss = paddle.mean(paddle.matmul(paddle.matmul(x, w), w))
    found = S.append_backward(loss)
    return {"pairs": pairs(found), "program": listing(), "values": run(["w@GRAD", loss], {"x": ones(3, 2)})}


def blocked_operand():
    x, y = feed("x", 2), feed("y", 2, stop=True)
    S.append_backward(paddle.sum(x * y))
    return listing()


def blocked_in_the_middle():
    x = feed("x", 2)
    h = paddle.exp(x)
    h.stop_gradient = True
    found = S.append_backward(paddle.sum(h * x))
    return pairs(found), listing()


def everything_stopped():
    found = S.append_backward(paddle.mean(feed("x", 2, stop=True)))
    return found, listing()


def no_grad_set():
    w, v = weight(2, name="w"), weight(2, name="v")
    h = w * v
    loss = paddle.sum(h * w)
    found = S.append_backward(loss, no_grad_set={"v"})
    return pairs(found), listing()


def no_grad_set_of_variables():
    w, v = weight(2, name="w"), weight(2, name="v")
    kinds = (set, list, tuple)
    return [pairs(S.append_backward(paddle.sum(w * v), no_grad_set=kind([v]))) for kind in kinds]


def _three_parameters():
    c, a, b = (weight(2, name=name) for name in "cab")
    weight(2, name="unused")
    frozen = weight(2, name="frozen")
    frozen.stop_gradient = True
    return a, b, c, paddle.sum(a * b + b * c * frozen)


def pairs_come_in_order_of_creation():
    return pairs(S.append_backward(_three_parameters()[-1]))


SELECTIONS = {
    "variables": lambda a, b, c: [b, a],
    "names": lambda a, b, c: ["b", "c"],
    "mixed": lambda a, b, c: ("b", c),
    "unknown name": lambda a, b, c: ["nobody", "a"],
    "empty": lambda a, b, c: [],
}


def selected(choose):
    a, b, c, loss = _three_parameters()
    found = S.append_backward(loss, parameter_list=choose(a, b, c))
    return pairs(found), types()


for text, choose in SELECTIONS.items():
    cases.add(f"parameter_list of {text}", selected, choose)


def parameter_list_of_placeholders():
    x = feed("x", 2)
    found = S.append_backward(paddle.sum(x * weight(2)), parameter_list=[x])
    return pairs(found), listing()


def gradients_are_variables_of_the_block():
    w = weight(2)
    ((parameter, gradient),) = S.append_backward(paddle.sum(w * 3.0))
    block = S.default_main_program().global_block()
    held = block.var("w@GRAD") is gradient, parameter is w, gradient.op.type, gradient.persistable
    return held, list(gradient.shape), str(gradient.dtype), block.has_var("w@GRAD")


def loss_of_one_element():
    loss = paddle.sum(weight(2)).reshape([1])
    S.append_backward(loss)
    return listing()


@cases.ours(refusal("ValueError", "shape"))
def loss_of_many_elements():
    loss = weight(2) * 2
    return raises(lambda: S.append_backward(loss), "shape")


def several_outputs():
    x = feed("x", 4)
    first, _, third = paddle.split(x, [1, 1, 2])
    S.append_backward(paddle.sum(first) + paddle.sum(third))
    return listing()


def twice_over_one_program():
    w = weight(2)
    loss = paddle.sum(w * w)
    first, second, third = (pairs(S.append_backward(loss)) for _ in range(3))
    return first, second, third, names(S.default_main_program().global_block().vars)[:3]


def two_losses():
    w = weight(2)
    h = paddle.exp(w)
    first, second = paddle.sum(h), paddle.mean(h * w)
    found = [pairs(S.append_backward(loss)) for loss in (first, second)]
    return found, run([pair[1] for (pair,) in found])


def roles_in_a_whole_step():
    paddle.optimizer.SGD(0.1).minimize(_perceptron())
    ops = S.default_main_program().global_block().ops
    return [[op.type, op.attr("op_role"), op.attr("op_role_var")] for op in ops]


def callbacks_are_a_sequence():
    loss = paddle.sum(weight(2))
    return raises(lambda: S.append_backward(loss, callbacks=3), "callbacks")


def errors():
    x = feed("x", 2)
    loss = paddle.sum(x)
    return [
        raises(lambda: S.append_backward("x"), "loss"),
        raises(lambda: S.append_backward(x), "op"),
        raises(lambda: S.append_backward(loss, parameter_list="w"), "parameter_list"),
        raises(lambda: S.append_backward(loss, parameter_list=[3]), "parameter_list"),
        raises(lambda: S.append_backward(loss, no_grad_set="x"), "no_grad_set"),
        raises(lambda: S.append_backward(loss, no_grad_set={3}), "no_grad_set"),
    ]


def dynamic_mode():
    paddle.disable_static()
    x = paddle.ones([2])
    calls = (
        lambda: S.append_backward(x),
        lambda: S.gradients(x, x),
        lambda: S.data("x", [1]),
        lambda: S.nn.fc(x, 1),
        lambda: S.py_func(lambda t: t, x, x),
        lambda: S.save(S.Program(), "/nowhere"),
    )
    return [raises(call, "enable_static") for call in calls]
