"""Initializers: bounds, spreads, seeds."""

import math

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.nn import initializer as init

F32 = np.dtype("float32")


@pytest.mark.parametrize(("make", "shape", "std"), [
    (init.XavierUniform, (300, 200), math.sqrt(2 / 500)),
    (init.XavierNormal, (300, 200), math.sqrt(2 / 500)),
    (init.XavierUniform, (20, 30, 3, 3), math.sqrt(2 / 450)),
    (init.KaimingNormal, (300, 200), math.sqrt(2 / 300)),
    (init.KaimingUniform, (20, 30, 3, 3), math.sqrt(2 / 270)),
    (lambda: init.KaimingNormal(mode="fan_out"), (300, 200), 0.1),
    (lambda: init.KaimingNormal(None, 0.5, "leaky_relu"), (300, 200), math.sqrt(1.6 / 300)),
    (lambda: init.XavierNormal(fan_in=10, fan_out=40, gain=2.0), (300, 200), 2 * math.sqrt(2 / 50)),
    (init.Normal, (300, 200), 1.0),
    (init.TruncatedNormal, (300, 200), 0.8796),
    (lambda: init.TruncatedNormal(std=2.0), (300, 200), 2 * 0.5396),
    (init.Uniform, (300, 200), math.sqrt(1 / 3)),
])  # fmt: skip
def test_spread(make, shape, std):
    paddle.seed(0)
    values = make().draw(shape, F32)
    assert values.dtype == F32
    assert values.std() == pytest.approx(std, rel=0.03)
    assert abs(values.mean()) < 0.05 * std


def test_bounds():
    assert abs(init.XavierUniform().draw((300, 200), F32)).max() <= math.sqrt(6 / 500)
    values = init.TruncatedNormal(mean=3.0, a=2.5, b=9.0).draw((300, 200), F32)
    assert 2.5 <= values.min() < 2.51
    assert values.max() > 5
    values = init.Uniform(2.0, 3.0).draw((1000,), F32)
    assert values.min() >= 2
    assert values.max() <= 3


def test_values_that_are_given():
    assert init.Constant(2.5).draw((2,), F32).tolist() == [2.5, 2.5]
    assert init.Assign([[1, 2]]).draw((1, 2), F32).tolist() == [[1, 2]]
    assert init.Assign([1, 2, 3]).draw((2,), F32).tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="cannot hold"):
        init.Assign([1, 2, 3]).call((2,), F32)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)])
def test_orthogonal(shape):
    q = init.Orthogonal(gain=2.0).draw(shape, np.dtype("float64")).reshape(shape[0], -1)
    small = q @ q.T if q.shape[0] <= q.shape[1] else q.T @ q
    np.testing.assert_allclose(small, 4 * np.eye(len(small)), atol=1e-12)
    with pytest.raises(AssertionError, match="2 or more dimensions"):
        init.Orthogonal().draw((3,), F32)


def test_calling_one_fills_a_tensor():
    p = nn.Linear(2, 2).weight
    assert init.Constant(7.0)(p) is p
    assert p.tolist() == [[7, 7], [7, 7]]


def test_gains():
    assert init.calculate_gain("relu") == pytest.approx(math.sqrt(2))
    assert init.calculate_gain("leaky_relu", 0.2) == pytest.approx(1.3867504905630728)
    assert init.calculate_gain("tanh") == pytest.approx(5 / 3)
    assert init.calculate_gain("sigmoid") == 1
    with pytest.raises(ValueError, match="not supported"):
        init.calculate_gain("step")


def test_the_same_seed_gives_the_same_network():
    def weights():
        paddle.seed(5)
        return nn.Linear(4, 4).weight.tolist()

    assert weights() == weights()


def test_the_global_choice_yields_to_a_wish():
    init.set_global_initializer(init.Constant(1.0), init.Constant(2.0))
    try:
        layer = nn.Linear(1, 1)
        wished = nn.Linear(1, 1, weight_attr=init.Constant(9.0))
    finally:
        init.set_global_initializer(None)
    assert (layer.weight.item(), layer.bias.item(), wished.weight.item()) == (1, 2, 9)
    assert nn.Linear(1, 1).bias.item() == 0
    with pytest.raises(TypeError, match="initializer is expected"):
        init.set_global_initializer(3)


def test_first_values_of_layers():
    paddle.seed(1)
    conv = nn.Conv2D(20, 30, 3)
    assert conv.weight.numpy().std() == pytest.approx(math.sqrt(2 / 180), rel=0.05)
    assert not conv.bias.numpy().any()
    assert nn.LayerNorm([2, 2]).weight.tolist() == [1] * 4
    assert nn.Embedding(4, 3, padding_idx=-1).weight.tolist()[3] == [0, 0, 0]
    assert nn.PReLU(2, init=0.1)._weight.numpy() == pytest.approx([0.1, 0.1])
