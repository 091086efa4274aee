"""Section 9: what append_backward adds: operators, names, roles, pairs."""

import paddle

from tests.support.parity.graphs import S, feed, pairs, types, weight
from tests.support.parity.kit import Family

F = paddle.nn.functional
cases = Family("static_backward")


def _perceptron():
    """The documented example: two layers, a loss."""
    x, y = feed("x", -1, 3, stop=True), feed("y", -1, 1, stop=True)
    hidden = S.nn.fc(x, 4, activation="tanh")
    return paddle.mean(F.square_error_cost(S.nn.fc(hidden, 1), y))


def _three_parameters():
    c, a, b = (weight(2, name=name) for name in "cab")
    weight(2, name="unused")
    frozen = weight(2, name="frozen")
    frozen.stop_gradient = True
    return a, b, c, paddle.sum(a * b + b * c * frozen)


SELECTIONS = cases.table("selections", globals())


def selected(choose):
    a, b, c, loss = _three_parameters()
    found = S.append_backward(loss, parameter_list=choose(a, b, c))
    return pairs(found), types()


for text, choose in SELECTIONS.items():
    cases.add(f"parameter_list of {text}", selected, choose)
