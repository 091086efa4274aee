"""The sentences of `why`: the effect of a hook, an optimizer, a loss or a layer, and a teacher's remark."""

import pytest

from minipaddle import paddle
from tests.support.recordings import leaf


def test_an_error_in_backward_has_the_line_of_backward(record):
    def script():
        w = leaf([1.0, 2.0])
        y = paddle.tanh(w)
        z = y * 2
        y.add_(w)
        with pytest.raises(RuntimeError):
            z.sum().backward()

    error = next(event for event in record(script).events if event.kind == "error")
    assert error.where is not None
    assert "backward()" in error.where.text
