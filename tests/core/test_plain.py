"""``MINIPADDLE_PLAIN`` leaves out the quicker versions, all or some; the numbers are the same."""

import json

import pytest

SCRIPT = """
import json
import numpy as np
from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.node import Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.custom.py_layer import PyLayer

class Double(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, dy):
        return dy * 2

x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = Double.apply(x @ x + x * 3) - x
y.sum().backward()
plain = {
    "call": type(EAGER).__name__ == "Eager" and hasattr(Operator.__call__, "__code__"),
    "plans": Operator.make_plan.__name__ == "Plan",
    "walk": Node.run.__module__.endswith("tape.node"),
    "signs": "__mul__" not in vars(Tensor),
    "pylayer": not hasattr(PyLayer.apply, "__wrapped__"),
}
print(json.dumps([x.grad.tolist(), sorted(name for name in plain if plain[name])]))
"""
WAYS = ["call", "plans", "pylayer", "signs", "walk"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("said", "left_out"),
    [("", []), ("1", WAYS), *[(way, [way]) for way in WAYS], ("call, signs", ["call", "signs"])],
)
def test_what_is_left_out_and_what_comes_out(run_python, said, left_out):
    done = run_python("-c", SCRIPT, env={"MINIPADDLE_PLAIN": said})
    assert done.returncode == 0, done.stderr
    grad, plain = json.loads(done.stdout)
    assert grad == [13.0, 21.0]
    assert plain == left_out
