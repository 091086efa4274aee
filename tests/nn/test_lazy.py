"""Parameters whose first values are put off."""

import numpy as np

from minipaddle import paddle


def test_a_parameter_has_no_memory_until_it_is_initialized():
    with paddle.LazyGuard():
        layer = paddle.nn.Linear(1000, 1000)
    assert layer.weight.array.strides == (0, 0)
    assert np.isnan(layer.weight.numpy()).all()
    paddle.seed(5)
    layer.weight.initialize()
    paddle.seed(5)
    np.testing.assert_array_equal(layer.weight.numpy(), paddle.nn.Linear(1000, 1000).weight.numpy())


def test_outside_of_the_block_values_are_there_at_once():
    with paddle.LazyGuard(), paddle.LazyGuard():
        pass
    assert not np.isnan(paddle.nn.Linear(2, 2).weight.numpy()).any()
