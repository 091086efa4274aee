"""Assert: a run stops where a condition is false."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import static
from minipaddle.paddle.static.nn.control_flow import Assert


def run(value, **options):
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2], "float32")
        op = Assert(paddle.all(x > 0), [x], **options)
    static.Executor().run(main, feed={"x": np.array(value, "float32")})
    return op


def test_a_condition_that_holds(building):
    assert run([1.0, 2.0]).type == "assert"


def test_one_that_does_not_shows_the_data(building):
    with pytest.raises(ValueError, match=r"Assertion failed.*\[1\.0, -2\.0\][^§]*Assert\(paddle\.all"):
        run([1.0, -2.0])


def test_its_message(building):
    with pytest.raises(ValueError, match=r"all positive. data: \[1\.0\]"):
        run([1.0, -2.0], summarize=1, message="all positive.")


def test_what_it_takes(building):
    with pytest.raises(TypeError, match="cond"):
        Assert(True)
    with pytest.raises(TypeError, match="data"), static.program_guard(static.Program()):
        Assert(paddle.full([1], True, "bool"), 3)
