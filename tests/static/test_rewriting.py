"""Variables that are written more than once: by ``assign(x, output)``, by loops, in branches."""

import numpy as np
import pytest

import minipaddle as paddle

S = paddle.static
X = np.array([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def building():
    paddle.enable_static()
    with (
        S.program_guard(S.Program(), S.Program()),
        S.scope_guard(S.Scope()),
        paddle.utils.unique_name.guard(),
    ):
        yield
    paddle.disable_static()


@pytest.fixture
def x():
    given = S.data("x", [3], "float64")
    given.stop_gradient = False
    return given


def run(*fetches):
    return S.Executor().run(feed={"x": X}, fetch_list=list(fetches))


def test_assign_writes_a_variable_that_lets_gradients_pass(x):
    h = x * 1.0
    paddle.assign(h * 3.0, h)
    found, grad = run(h, *S.gradients(h, x))
    assert found.tolist() == [3.0, 6.0, 9.0]
    assert grad.tolist() == [3.0, 3.0, 3.0]
