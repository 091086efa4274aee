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
