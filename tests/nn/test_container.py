"""Sequential, LayerList, ParameterList, LayerDict."""

from collections import OrderedDict

import pytest

from minipaddle import paddle
from minipaddle.paddle import nn


def test_sequential_calls_one_after_the_other():
    net = nn.Sequential(nn.Linear(2, 2, bias_attr=False), nn.ReLU())
    net[0].weight.set_value(paddle.to_tensor([[1.0, -1.0], [0.0, 0.0]]))
    assert net(paddle.ones([1, 2])).tolist() == [[1, 0]]


@pytest.mark.parametrize("build", [
    lambda a, b: nn.Sequential(("a", a), ("b", b)),
    lambda a, b: nn.Sequential(OrderedDict(a=a, b=b)),
    lambda a, b: nn.Sequential([("a", a), ("b", b)]),
])  # fmt: skip
def test_sequential_with_names(build):
    a, b = nn.ReLU(), nn.Tanh()
    net = build(a, b)
    assert net.a is net["a"] is net[0] is net[-2] is a
    assert [name for name, _ in net.named_children()] == ["a", "b"]
    assert list(net) == [a, b]


def test_sequential_can_be_cut_changed_and_extended():
    net = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    assert isinstance(net[:2], nn.Sequential)
    assert len(net[:2]) == 2
    net[1] = nn.Identity()
    assert isinstance(net[1], nn.Identity)
    del net[0]
    assert len(net) == 2
    net.append(nn.GELU())
    assert isinstance(net[-1], nn.GELU)
    with pytest.raises(IndexError, match="out of range"):
        net[5]


def test_layer_list_owns_parameters_and_behaves_like_a_list():
    layers = nn.LayerList([nn.Linear(1, 1) for _ in range(3)])
    assert len(layers.parameters()) == 6
    first, last = nn.ReLU(), nn.Tanh()
    layers.insert(0, first)
    layers.append(last)
    assert layers[0] is first
    assert layers[-1] is last
    assert len(layers[1:4]) == 3
    del layers[0]
    assert [name for name, _ in layers.named_children()] == ["0", "1", "2", "3"]
    layers[0] = first
    assert next(iter(layers)) is first
    layers.extend([nn.ReLU()])
    assert len(layers) == 5
    with pytest.raises(IndexError, match="out of range"):
        layers[9]


def test_parameter_list():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.weights = nn.ParameterList([self.create_parameter([1]) for _ in range(2)])

    net = Net()
    assert list(net.state_dict()) == ["weights.0", "weights.1"]
    fresh = net.create_parameter([3])
    net.weights.append(fresh)
    net.weights[0] = fresh
    assert net.weights[0] is net.weights[-1] is fresh
    assert len(net.weights) == len(list(net.weights)) == 3
    with pytest.raises(AssertionError, match="Parameter is expected"):
        net.weights[0] = paddle.ones([1])


def test_layer_dict():
    layers = nn.LayerDict({"a": nn.ReLU()})
    layers["b"] = nn.Tanh()
    layers.update([("c", nn.GELU())])
    assert list(layers) == list(layers.keys()) == ["a", "b", "c"]
    assert isinstance(layers.pop("a"), nn.ReLU)
    assert "a" not in layers
    del layers["b"]
    assert [(name, type(layer)) for name, layer in layers.items()] == [("c", nn.GELU)]
    layers.clear()
    assert len(layers) == len(list(layers.values())) == 0
