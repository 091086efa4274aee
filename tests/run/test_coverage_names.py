"""Paddle names are read out of a script whatever they are called in it."""

import ast

import pytest

from minipaddle.engine.names.missing import refusal
from minipaddle.tools.run.coverage import look_up, sites_of, uses_of


def names(source):
    return {name for name, _ in sites_of(ast.parse(source))}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import paddle\npaddle.to_tensor(1)", {"paddle.to_tensor"}),
        ("import paddle as pd\npd.nn.Linear(1, 2).weight", {"paddle.nn.Linear"}),
        ("import paddle.nn\npaddle.ones([1])", {"paddle.nn", "paddle.ones"}),
        (
            "import paddle.nn.functional as F\nF.relu(F.tanh(x))",
            {"paddle.nn.functional", "paddle.nn.functional.relu", "paddle.nn.functional.tanh"},
        ),
        ("from paddle import nn\nclass A(nn.Layer): pass", {"paddle.nn", "paddle.nn.Layer"}),
        ("from paddle.nn import Linear as L\nL(1, 2)", {"paddle.nn.Linear"}),
        (
            "from paddle.nn import functional as F\n@F.x\ndef f(): ...",
            {"paddle.nn.functional", "paddle.nn.functional.x"},
        ),
        (
            "import paddle\nF = paddle.nn.functional\nF.relu(x)",
            {"paddle.nn.functional", "paddle.nn.functional.relu"},
        ),
        ("def f():\n    return nn.ReLU()\nfrom paddle import nn", {"paddle.nn", "paddle.nn.ReLU"}),
        ("def f(x: 'int') -> paddle.Tensor: ...\nimport paddle", {"paddle.Tensor"}),
        ("from minipaddle import paddle\npaddle.ones([1])", {"paddle.ones"}),
        ("import numpy as np\nfrom . import paddle\nfrom .paddle import nn\nnp.ones(1)", set()),
        ("import paddle\nx = paddle.ones([1]).mean().numpy()", {"paddle.ones"}),
    ],
)
def test_aliases_are_resolved(source, expected):
    assert names(source) == expected


def test_star_imports_bring_what_the_module_offers():
    found = names("from paddle.nn.functional import *\nrelu(x); print(y)")
    assert found == {"paddle.nn.functional.relu"}


def test_lines_are_those_of_the_uses(write_script):
    script = write_script("""
        import paddle
        x = paddle.ones([1])
        y = (paddle.ones([1]) +
             paddle.zeros([1]))
    """)
    assert [(use.name, use.lines) for use in uses_of(script)] == [
        ("paddle.ones", (2, 3)),
        ("paddle.zeros", (4,)),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "paddle",
        "paddle.to_tensor",
        "paddle.Tensor.backward",
        "paddle.nn.Linear",
        "paddle.nn.functional.relu",
        "paddle.autograd.PyLayer",
        "paddle.autograd.py_layer.PyLayer",
        "paddle.optimizer.lr.StepDecay",
        "paddle.fluid.dygraph.guard",
    ],
)
def test_what_is_here(name):
    assert look_up(name).present


@pytest.mark.parametrize(
    "name", ["paddle.ops", "paddle.ops.tanh", "paddle.cli.app", "paddle.np", "paddle.nn.sys"]
)
def test_our_own_packages_and_other_peoples_are_not(name):
    assert not look_up(name).present


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("paddle.nn.Liner", "paddle.nn.Linear"),
        ("paddle.nn.linear", "paddle.nn.functional.linear"),
        ("paddle.too_tensor", "paddle.to_tensor"),
        ("paddle.Tensor.backwards", "paddle.Tensor.backward"),
        ("paddle.optimiser.SGD", "paddle.optimizer"),
        ("paddle.optimiser.SGD", "paddle.optimizer.SGD"),
    ],
)
def test_what_is_not_has_a_neighbour(name, nearest):
    answer = look_up(name)
    assert not answer.present
    assert nearest in answer.nearest
    assert answer.name == name


def test_what_is_refused_says_why_and_has_no_neighbour():
    for name in ("paddle.sparse.nn.ReLU", "paddle.Tensor.to_sparse_coo", "paddle.onnx"):
        answer = look_up(name)
        assert (answer.present, answer.refused, answer.nearest) == (False, refusal(name), ())
    assert look_up("paddle.gone").refused is None
    assert "paddle.Tensor.to_sparse_coo" not in look_up("paddle.Tensor.to_sparse_co").nearest


def test_below_a_function_or_a_value_nothing_is_asked():
    assert look_up("paddle.float32.whatever").name == "paddle.float32"
    assert look_up("paddle.tanh.__name__").name == "paddle.tanh"
