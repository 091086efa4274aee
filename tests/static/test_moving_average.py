"""ExponentialMovingAverage: the averages of a run, tested with and taken back."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")


def training(average):
    """A parameter that falls by 1 in every step."""
    w = S.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(10.0))
    test = S.default_main_program().clone(for_test=True)
    paddle.optimizer.SGD(2.0).minimize(paddle.mean(w))
    average.update()
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return w, test, exe


def test_averages_take_the_place_of_parameters_and_go_again():
    average = S.ExponentialMovingAverage(0.5)
    w, test, exe = training(average)
    for _ in range(3):
        exe.run()
    mean = (9 * 0.125 + 8 * 0.25 + 7 * 0.5) / (1 - 0.125)
    with average.apply(exe):
        np.testing.assert_allclose(exe.run(test, fetch_list=[w])[0], [mean, mean], rtol=1e-6)
    assert exe.run(test, fetch_list=[w])[0].tolist() == [7, 7]


def test_restoring_can_be_left_to_the_user():
    average = S.ExponentialMovingAverage(0.5)
    w, test, exe = training(average)
    exe.run()
    with average.apply(exe, need_restore=False):
        pass
    averaged = exe.run(test, fetch_list=[w])[0].copy()
    average.restore(exe)
    assert averaged.tolist() == [9, 9]
    exe.run()
    assert exe.run(test, fetch_list=[w])[0].tolist() == [8, 8]


def test_the_decay_grows_with_the_steps():
    steps = S.create_global_var([1], 0, "int64", persistable=True)
    average = S.ExponentialMovingAverage(0.999, thres_steps=steps)
    w, test, exe = training(average)
    exe.run()
    with average.apply(exe):
        np.testing.assert_allclose(exe.run(test, fetch_list=[w])[0], [9, 9], rtol=1e-6)


def test_apply_needs_update():
    with pytest.raises(AssertionError, match="update"), S.ExponentialMovingAverage().apply(S.Executor()):
        pass
