"""The Operators that calls and their gradients append, against the record of Paddle 2.6.2 (see `listing_calls.py`).

Types, slots, names and attributes must be equal; Paddle may have more attributes.
"""

import json
import math
from typing import Any

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.cases import for_each
from tests.support.parity import RESULTS
from tests.support.parity.listing_calls import calls, placeholders

RECORD = json.loads((RESULTS / "listings_2.6.2.json").read_text())


def line(op: Any) -> list[Any]:
    """Type, inputs and outputs by slot without empty ones, attributes."""
    inputs = {slot: op.input(slot) for slot in op.input_names if op.input(slot)}
    outputs = {slot: op.output(slot) for slot in op.output_names if op.output(slot)}
    return [op.type, inputs, outputs, op.listed()]


def leaves(value: Any) -> list[Any]:
    """The Variables in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if isinstance(value, paddle.static.Variable) else []


def built(call: str) -> tuple[list[Any], list[Any], list[str]]:
    """Operators of `call`, those of its gradients, names of the results."""
    main = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, paddle.static.Program()):
        space = placeholders(paddle)
        names = {"paddle": paddle, "F": paddle.nn.functional, "np": np}
        results = leaves(eval(call, {**names, **space}))
        block = main.global_block()
        count = len(block.ops)
        floats = (paddle.float32, paddle.float64)
        targets = [v for v in results if not v.stop_gradient and v.dtype in floats]
        if targets:
            inputs = [v for v in space.values() if not v.stop_gradient]
            paddle.static.gradients(targets, inputs + main.all_parameters())
        lines = [line(op) for op in block.ops]
        return lines[:count], lines[count:], [v.name for v in results]


def comparable(ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Their operators with the attributes that we print too, and their floats where they are nearly ours."""
    return [
        [*rest, {name: nearly(attrs.get(name), own[name]) for name in own if name != "str_value"}]
        for (*rest, attrs), (*_, own) in zip(theirs, ours, strict=True)
    ]


def nearly(theirs: Any, ours: Any) -> Any:
    """`ours` if `theirs` is the same in float32."""
    both = isinstance(theirs, float) and isinstance(ours, float)
    return ours if both and math.isclose(theirs, ours, rel_tol=1e-6) else theirs


def without_text(ops: list[Any]) -> list[Any]:
    """Operators without the second form in which Paddle keeps a number."""
    return [
        [*rest, {name: value for name, value in attrs.items() if name != "str_value"}] for *rest, attrs in ops
    ]


@pytest.fixture(autouse=True)
def static_mode():
    paddle.enable_static()
    yield
    paddle.disable_static()


def initialized(call: str) -> list[Any]:
    """The startup program of a parameter with an initializer."""
    startup = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), startup):
        initializer = eval(call, {"I": paddle.nn.initializer, "np": np})
        paddle.static.create_parameter([2, 3], "float32", default_initializer=initializer)
    return [line(op) for op in startup.global_block().ops]


def trained(call: str) -> list[list[Any]]:
    """Both programs after `minimize`."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [2, 3], "float32")
        loss = paddle.mean(paddle.static.nn.fc(x, 1, bias_attr=False))
        rooms = {"O": paddle.optimizer, "R": paddle.regularizer, "C": paddle.nn}
        optimizer = eval(call, rooms)
        optimizer.minimize(loss)
    return [[line(op) for op in program.global_block().ops] for program in (main, startup)]


def assert_same(ours: list[Any], theirs: list[Any]) -> None:
    assert [op[0] for op in ours] == [op[0] for op in theirs]
    assert without_text(ours) == comparable(ours, theirs)


@for_each("call", {call: call for call in calls()["startup"]})
def test_initializers_write_what_those_of_paddle_write(call):
    assert_same(initialized(call), RECORD["startup"][call]["ops"])


@for_each("call", {call: call for call in calls()["training"]})
def test_optimizers_append_what_those_of_paddle_append(call):
    record = RECORD["training"][call]
    for ours, theirs in zip(trained(call), (record["ops"], record["startup"]), strict=True):
        assert_same(ours, theirs)


@for_each("call", {call: call for call in calls()["calls"]})
def test_appends_what_paddle_appends(call):
    ops, grads, names = built(call)
    record = RECORD["calls"][call]
    assert_same(ops, record["ops"])
    assert_same(grads, record.get("grads", []))
    assert names == record["out"]
