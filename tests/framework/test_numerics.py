"""FLAGS_check_nan_inf, with the words of Paddle 3.3.1."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, current, within
from minipaddle.engine.watch.watched_mode import Watching, watching
from minipaddle.tools.record import Recorder


@pytest.fixture
def checking():
    paddle.set_flags({"FLAGS_check_nan_inf": 1})
    yield
    paddle.set_flags({"FLAGS_check_nan_inf": 0})
    assert type(current.get()) is type(EAGER)


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def test_an_operator_that_makes_an_inf_raises_and_names_itself(checking):
    with np.errstate(all="ignore"), pytest.raises(RuntimeError, match="There are NAN or INF") as error:
        paddle.log(leaf(0.0, 1.0))
    assert "(num_nan=0, num_inf=1, num_zero=1) in [device=cpu, op=log, tensor=, dtype=fp32]" in str(
        error.value
    )
    assert "test_numerics.py" in str(error.value)


def test_so_does_a_gradient_rule_and_nothing_is_stored(checking):
    x = leaf(0.0)
    y = paddle.sqrt(x * 1)
    with np.errstate(all="ignore"), pytest.raises(RuntimeError, match="op=sqrt_grad"):
        y.backward()
    assert x.grad is None


def test_within_no_grad_and_in_place_too(checking):
    with np.errstate(all="ignore"):
        with paddle.no_grad(), pytest.raises(RuntimeError, match="op=log"):
            paddle.log(leaf(0.0))
        with pytest.raises(RuntimeError, match="NAN or INF"):
            (leaf(1.0) * 1).scale_(float("inf"))


def test_clean_numbers_pass(checking):
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


S = paddle.static


def static_run(build, numbers, before=True):
    """Build and run a Program on x under the flag, which is set before or after ``enable_static``."""
    paddle.set_flags({"FLAGS_check_nan_inf": before})
    paddle.enable_static()
    try:
        paddle.set_flags({"FLAGS_check_nan_inf": True})
        with (
            S.program_guard(S.Program(), S.Program()),
            paddle.utils.unique_name.guard(),
            np.errstate(all="ignore"),
        ):
            x = S.data("x", [len(numbers)])
            x.stop_gradient = False
            fetches = build(x)
            return S.Executor().run(feed={"x": np.array(numbers, "float32")}, fetch_list=fetches)
    finally:
        paddle.set_flags({"FLAGS_check_nan_inf": False})
        paddle.disable_static()


def root(x):
    loss = paddle.mean(paddle.sqrt(x))
    return [loss, *S.gradients(loss, x)]


def branch(x):
    return [S.nn.cond(paddle.sum(x) > -100.0, lambda: paddle.log(x), lambda: x)]


def trained(x):
    w = S.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    loss = paddle.sum(x * w)
    paddle.optimizer.SGD(1e38).minimize(loss)
    S.Executor().run(S.default_startup_program())
    return [loss]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(
    ("build", "numbers", "words", "line"),
    [
        (
            lambda x: [paddle.log(x)],
            [1, 0, 4],
            "num_inf=1, num_zero=1) in [device=cpu, op=log, tensor=log_0",
            "log",
        ),
        (root, [1, 0, 4], "op=sqrt_grad, tensor=x@GRAD, dtype=fp32]", "paddle.sqrt(x)"),
        (branch, [1, 0, 4], "op=log, tensor=log_0.tmp_0, dtype=fp32]", "S.nn.cond"),
        (
            lambda x: [x * 2],
            [1, np.nan, np.inf],
            "num_nan=1, num_inf=1, num_zero=0) in [device=cpu, op=feed, tensor=x",
            "",
        ),
        (trained, [9.0], "op=sgd, tensor=create_parameter_0.w_0", "minimize"),
    ],
)
def test_a_program_names_operator_variable_and_line(build, numbers, words, line, before):
    """Key words and names as in Paddle 2.6.2; in a Block, in a gradient, in an update."""
    with pytest.raises(RuntimeError, match="There are NAN or INF") as error:
        static_run(build, numbers, before)
    assert words in str(error.value)
    assert "test_numerics.py" in str(error.value)
    assert line in str(error.value)
    assert type(current.get()) is type(EAGER)


def test_a_clean_program_runs_as_without_the_flag():
    checked = static_run(root, [1, 4])
    assert [one.tolist() for one in checked] == [1.5, [0.25, 0.125]]


def test_who_watches_sees_the_operator_that_raised():
    recorder = Recorder()
    with within(EAGER), watching(recorder):
        with pytest.raises(RuntimeError, match="op=log"):
            static_run(branch, [0.0])
        assert type(current.get()) is Watching
    assert [event.op for event in recorder.finish().events][-2:] == ["log", "RuntimeError"]


def test_a_layer_of_the_users_is_checked_within_and_still_told(checking):
    class Bad(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return paddle.log(x)

        @staticmethod
        def backward(ctx, dy):
            return dy

    with pytest.raises(RuntimeError, match="op=log"), np.errstate(all="ignore"):
        Bad.apply(leaf(0.0))
    recorder = Recorder()
    with watching(recorder):
        Bad.apply(leaf(1.0))
    assert "pylayer" in [event.op for event in recorder.finish().events]
