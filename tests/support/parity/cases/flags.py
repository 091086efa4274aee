"""Section 2: stop_gradient, leaves, what is recorded, grad_fn."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf

F = paddle.nn.functional
cases = Family("flags")


def state(t):
    """What a tensor says about its place in the graph; of `grad_fn` only whether a non-leaf has one."""
    return [t.stop_gradient, t.is_leaf, t.is_leaf or t.grad_fn is not None]


MADE = cases.table("made", globals())


def states():
    return {name: state(make(leaf(data(3)), frozen(data(3, seed=2)))) for name, make in MADE.items()}


NODES = cases.table("nodes", globals())


def node(make):
    return make(leaf(data(2, 2, low=0.2)), leaf(data(2, 2, seed=2, low=0.2))).grad_fn.name()


for text, make in NODES.items():
    cases.add(f"grad_fn of {text}", node, make)


def names(nodes):
    return [node and node.name() for node in nodes]
