"""Constants beside Variables of which several sizes, or not the first one, are known only when the Program runs."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")


@pytest.mark.parametrize("shape", [[-1, 3], [2, -1], [-1, -1], [2, 3]])
def test_a_number_over_a_variable(shape):
    x = S.data("x", shape)
    given = np.arange(1, 7, dtype="float32").reshape(2, 3)
    found = S.Executor().run(feed={"x": given}, fetch_list=[6.0 / x, 2.0**x])
    np.testing.assert_allclose(found[0], 6.0 / given, rtol=1e-6)
    np.testing.assert_allclose(found[1], 2.0**given, rtol=1e-6)


def test_a_call_that_waits_and_draws_has_its_own_draw_in_each_turn_of_a_loop():
    x, p = S.data("x", [64]), S.data("p", [1])
    x.stop_gradient = False
    turn = paddle.zeros([1], "int64")
    _, out = S.nn.while_loop(
        lambda turn, h: turn < 3, lambda turn, h: [turn + 1, paddle.nn.functional.dropout(h, p)], [turn, x]
    )
    (dx,) = S.gradients([out.sum()], [x])
    fed = {"x": np.ones(64, "float32"), "p": np.array([0.2], "float32")}
    kept, slope = S.Executor().run(feed=fed, fetch_list=[out, dx])
    assert 0 < np.count_nonzero(kept) < 64
    np.testing.assert_allclose(slope, kept, rtol=1e-6)


def test_what_makes_a_parameter_and_what_changes_a_setting_wait_for_no_number():
    n = S.data("n", [1], "int64")
    with pytest.raises(TypeError, match="has no numbers before the Program runs"):
        S.create_parameter([n, 3], "float32")
    with pytest.raises(TypeError):
        paddle.set_flags({"FLAGS_cudnn_deterministic": n})
    assert paddle.get_flags("FLAGS_cudnn_deterministic")["FLAGS_cudnn_deterministic"] is False
    assert not S.default_main_program().global_block().ops


def test_an_error_of_the_users_that_says_later_is_that_error():
    class Busy(Exception):
        later = 5

    def fails(x):
        raise Busy("come again")

    paddle.disable_static()
    with pytest.raises(Busy, match="come again"):
        paddle.incubate.autograd.vjp(fails, paddle.ones([1]))


def test_a_second_derivative_of_a_call_that_waits_is_refused_by_its_reason():
    x, low = S.data("x", [3]), S.data("low", [1])
    x.stop_gradient = False
    (dx,) = S.gradients([paddle.clip(x * x, min=low)], [x])
    with pytest.raises(RuntimeError, match="clip has Variables as numbers") as told:
        S.gradients([dx], [x])
    assert "give it numbers" in str(told.value)


def test_a_broadcast_of_unknown_sizes_is_declared_as_unknown():
    x, i = S.data("x", [5, 5]), S.data("i", [-1, 4], "int64")
    a, b, c = S.data("a", [3, 3]), S.data("b", [-1, 3, 2]), S.data("c", [1, 3, 3])
    found = [x[i, i], x[i, i].flatten()]
    found += [
        solve(left, b) for left in (a, c) for solve in (paddle.linalg.solve, paddle.linalg.triangular_solve)
    ]
    eye = np.eye(3, dtype="float32")
    fed = {"x": np.eye(5, dtype="float32"), "i": np.zeros((2, 4), "int64"), "a": eye, "c": eye[None]}
    ran = S.Executor().run(feed=fed | {"b": np.ones((4, 3, 2), "float32")}, fetch_list=found)
    for declared, made in zip(found, ran, strict=True):
        assert declared.shape[0] == -1
        assert list(declared.shape[1:]) == list(made.shape[1:])
