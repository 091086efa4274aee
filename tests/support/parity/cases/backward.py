"""Section 3: backward(), accumulation, retained and freed graphs, autograd.backward."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, leaf, raises

cases = Family("backward")


FREED = cases.table("freed", globals())


def twice(make):
    x = leaf([2.0])
    y = make(x)
    y.backward()
    return {"again": raises(y.backward, "retain_graph"), "grad": x.grad}


for text, make in FREED.items():
    cases.add(f"freed graph of {text}", twice, make)


def flags(tensor):
    return [tensor.stop_gradient, tensor.is_leaf, str(tensor)]


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
