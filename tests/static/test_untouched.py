"""Looking at a Program never changes it: Variables are compared by identity, for `==` appends an operator."""

import ast
from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.agreement import interpreted

S = paddle.static
PACKAGE = Path(paddle.__file__).parents[1]
LISTS = {"reads", "writes", "works_with", "variables", "list_vars", "all_parameters", "values"}
"""Methods that return lists of Variables: `in` asks each of their items with `==`."""


def _asked_lists(tree):
    """Return the lines in which `in` asks a list of Variables."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for sign, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(sign, (ast.In, ast.NotIn))
        and isinstance(right, ast.Call)
        and isinstance(right.func, ast.Attribute)
        and right.func.attr in LISTS
    ]


@pytest.mark.parametrize(
    "room",
    [
        "paddle/static",
        "paddle/jit",
        *(f"tools/{one}" for one in ("record", "picture", "explain", "checks", "page", "debug")),
    ],
)
def test_no_list_of_variables_is_asked_with_in(room):
    found = {
        str(file.relative_to(PACKAGE)): lines
        for file in sorted((PACKAGE / room).rglob("*.py"))
        if (lines := _asked_lists(ast.parse(file.read_text())))
    }
    assert not found, f"put set(...) around it: {found}"


@pytest.fixture
def forgetful():
    """A network with parameters, and what to feed; the startup program was not run."""
    paddle.enable_static()
    main = S.Program()
    with S.program_guard(main, S.Program()), S.scope_guard(S.Scope()), paddle.utils.unique_name.guard():
        x = S.data("x", [2, 3])
        loss = paddle.mean(S.nn.fc(paddle.tanh(x), 1))
        paddle.optimizer.Adam(0.1).minimize(loss)
        yield loss, {"x": np.ones((2, 3), "float32")}
    paddle.disable_static()


@pytest.mark.parametrize("ask", ["run", "steps", "prune"])
def test_a_forgotten_startup_program_is_named(forgetful, ask):
    loss, feed = forgetful
    program = loss.block.program
    before = str(program)
    executor = S.Executor()
    asked = {
        "run": lambda: executor.run(program, feed, [loss]),
        "steps": lambda: interpreted(program, feed, [loss]),
        "prune": lambda: executor.run(program, feed, [loss], use_prune=True),
    }
    with pytest.raises(RuntimeError, match=r"fc_0\.w_0") as caught:
        asked[ask]()
    assert "exe.run(paddle.static.default_startup_program())" in str(caught.value)
    assert "operator < mul > error" in str(caught.value)
    assert str(program) == before


F = paddle.nn.functional
REFUSED = {
    "a wrong bias": lambda x: F.linear(x, VALUES["w"], VALUES["b"]),
    "a wrong bias of a convolution": lambda x: F.conv2d(VALUES["image"], VALUES["kernel"], VALUES["b"]),
    "the second weight of a list": lambda x: S.nn.fc([x, VALUES["image"]], 4),
    "no such activation": lambda x: S.nn.fc(x, 4, activation="nonsense"),
    "an initializer of another size": lambda x: S.nn.fc(
        x, 4, bias_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Assign([1.0, 2.0]))
    ),
    "a later layer": lambda x: VALUES["layers"](x),
    "in a branch": lambda x: S.nn.cond(
        VALUES["pred"], lambda: F.linear(x, VALUES["w"], VALUES["b"]), lambda: x + 1
    ),
}
"""Calls of several operators, a later one of which is refused."""
VALUES = {}


@pytest.mark.parametrize("call", REFUSED)
def test_a_refused_call_leaves_both_programs_as_they_were(call, building):
    x = S.data("x", [2, 3])
    shapes = {"w": [3, 4], "b": [7], "image": [1, 2, 5, 5], "kernel": [4, 2, 3, 3]}
    VALUES.update({name: S.data(name, shape) for name, shape in shapes.items()})
    VALUES["pred"] = x.sum() > 0
    VALUES["layers"] = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Linear(5, 4))
    for _ in range(2):  # what the same line has appended before stays
        part = F.linear(x, VALUES["w"])[:, :3]
        before = [str(S.default_main_program()), str(S.default_startup_program())]
        with pytest.raises(ValueError, match=r"> error\]|activation|cannot hold"):
            REFUSED[call](part)
        assert [str(S.default_main_program()), str(S.default_startup_program())] == before
