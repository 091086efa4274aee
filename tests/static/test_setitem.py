"""Writing into a Variable: not in place, but as a new one that gradients reach."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")


def test_setitem_returns_what_was_written():
    x, v = S.data("x", [3, 2]), S.data("v", [2])
    x.stop_gradient = v.stop_gradient = False
    y = S.setitem(x, 0, v)
    grads = S.gradients(paddle.sum(y * y), [x, v])
    feed = {"x": np.ones((3, 2), "float32"), "v": np.full(2, 2, "float32")}
    kept, written, dx, dv = S.Executor().run(feed=feed, fetch_list=[x, y, *grads])
    assert kept.tolist() == [[1, 1], [1, 1], [1, 1]]
    assert written.tolist() == [[2, 2], [1, 1], [1, 1]]
    assert dx.tolist() == [[0, 0], [2, 2], [2, 2]]
    assert dv.tolist() == [4, 4]


def test_square_brackets_say_what_to_use():
    with pytest.raises(RuntimeError, match=r"static\.setitem"):
        S.data("x", [3])[0] = 1.0
