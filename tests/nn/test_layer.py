"""Layer: its parts, their order and names."""

import copy

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.own = self.create_parameter([2])
        self.register_buffer("kept", paddle.ones([1]))
        self.register_buffer("scratch", paddle.zeros([1]), persistable=False)
        self.tail = nn.Sequential(("norm", nn.BatchNorm1D(3)), ("act", nn.ReLU()))

    def forward(self, x):
        return self.tail(self.fc(x + self.own))


def names(pairs):
    return [name for name, _ in pairs]


def test_parameters_come_parents_first_in_the_order_they_were_made():
    net = Net()
    assert names(net.named_parameters()) == [
        *("own", "fc.weight", "fc.bias"),
        *("tail.norm.weight", "tail.norm.bias", "tail.norm._mean", "tail.norm._variance"),
    ]
    assert names(net.named_parameters("net", include_sublayers=False)) == ["net.own"]
    assert [p is q for p, (_, q) in zip(net.parameters(), net.named_parameters())] == [True] * 7


def test_sublayers_children_and_buffers():
    net = Net()
    assert names(net.named_sublayers()) == ["fc", "tail", "tail.norm", "tail.act"]
    assert names(net.named_sublayers(include_self=True))[0] == ""
    assert names(net.named_children()) == ["fc", "tail"]
    assert list(net.children()) == [net.fc, net.tail]
    assert names(net.named_buffers()) == ["kept", "scratch"]


def test_what_is_shared_is_listed_once_but_has_all_its_names_in_the_state():
    shared = nn.Linear(2, 2)
    net = nn.Sequential(shared, nn.ReLU(), shared)
    assert len(net.parameters()) == 2
    assert len(net.sublayers()) == 2
    assert list(net.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_full_names_count_and_parameters_follow_them():
    first, second = nn.Linear(1, 1), nn.Linear(1, 1)
    assert first.full_name().startswith("linear_")
    assert int(second.full_name()[7:]) == int(first.full_name()[7:]) + 1
    assert first.weight.name == f"{first.full_name()}.w_0"
    assert first.bias.name == f"{first.full_name()}.b_0"
    norm = nn.BatchNorm2D(2)
    assert norm.full_name().startswith("batch_norm2d_")
    suffixes = [tensor.name.removeprefix(norm.full_name()) for tensor in norm.state_dict().values()]
    assert suffixes == [".w_0", ".b_0", ".w_1", ".w_2"]


def test_parameters_are_trainable_leaves():
    p = nn.Linear(2, 2).weight
    assert (p.trainable, p.stop_gradient, p.is_leaf, p.persistable, p.need_clip) == (
        True,
        False,
        True,
        True,
        True,
    )
    assert p.optimize_attr == {"learning_rate": 1.0}
    assert isinstance(p, paddle.Tensor)
    assert repr(p).startswith("Parameter containing:\nTensor(shape=[2, 2], dtype=float32, place=Place(cpu)")
    p.trainable = False
    assert p.stop_gradient
    p.stop_gradient = False
    assert p.trainable
    with pytest.raises(ValueError, match="MUST be bool"):
        p.trainable = 1


def test_wishes_for_parameters():
    attr = paddle.ParamAttr(name="mine", learning_rate=0.5, trainable=False, need_clip=False)
    weight = nn.Linear(2, 2, weight_attr=attr).weight
    assert (weight.name, weight.optimize_attr["learning_rate"], weight.trainable, weight.need_clip) == (
        "mine", 0.5, False, False
    )  # fmt: skip
    assert nn.Linear(2, 2, weight_attr="called").weight.name == "called"
    assert nn.Linear(2, 2, bias_attr=nn.initializer.Constant(3.0)).bias.tolist() == [3, 3]
    assert nn.Linear(2, 2, bias_attr=False).bias is None
    with pytest.raises(TypeError, match="cast to ParamAttr"):
        nn.Linear(2, 2, weight_attr=3)


def test_attributes_are_filed_by_what_they_are():
    net = Net()
    net.later = None
    net.later = nn.ReLU()
    assert "later" in names(net.named_children())
    net.fc = None
    assert net.fc is None
    assert "fc.weight" not in net.state_dict()
    del net.own
    assert not hasattr(net, "own")
    net.kept = paddle.zeros([1])
    assert net.state_dict()["kept"].tolist() == [0]
    assert {"later", "kept"} <= set(dir(net))


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda net: setattr(net, "fc", 3), TypeError, "assignment to sublayer 'fc'"),
        (lambda net: setattr(net, "own", paddle.ones([2])), TypeError, "assignment to parameter 'own'"),
        (lambda net: setattr(net, "kept", 3), TypeError, "assignment to buffers 'kept'"),
        (lambda net: net.nowhere, AttributeError, "'Net' object has no attribute 'nowhere'"),
        (lambda net: net.add_parameter("a.b", None), KeyError, "can not contain"),
        (lambda net: net.add_parameter("", None), KeyError, "can not be empty"),
        (lambda net: net.add_parameter("fc", None), KeyError, "already exists"),
        (lambda net: net.add_parameter("p", paddle.ones([1])), TypeError, "should be a Parameter"),
        (lambda net: net.register_buffer("fc", None), KeyError, "already exists"),
        (lambda net: net.register_buffer("b", 3), TypeError, "should be a Paddle.Tensor"),
        (lambda net: net.add_sublayer("x", 3), AssertionError, "Layer is expected"),
        (lambda net: nn.Layer()(1), NotImplementedError, "forward"),
    ],
)
def test_misuse_is_explained(change, kind, words):
    with pytest.raises(kind, match=words):
        change(Net())


def test_forgetting_super_init_is_said():
    class Forgetful(nn.Layer):
        def __init__(self):
            self.fc = nn.Linear(1, 1)

    with pytest.raises(ValueError, match=r"super\(\).__init__\(\) should be called first"):
        Forgetful()


def test_train_and_eval_reach_every_sublayer():
    net = Net()
    assert net.eval() is net
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    net.train()
    assert all(layer.training for layer in net.sublayers(include_self=True))


def test_apply_visits_children_first():
    seen = []
    net = Net().apply(lambda layer: seen.append(type(layer).__name__))
    assert seen == ["Linear", "BatchNorm1D", "ReLU", "Sequential", "Net"]
    assert isinstance(net, Net)


def test_conversion_reaches_parameters_and_buffers_but_no_integers():
    net = Net()
    net.register_buffer("count", paddle.to_tensor([3]))
    before = net.fc.weight
    assert net.to(dtype="float64") is net
    assert net.fc.weight is before
    assert net.fc.weight.dtype == net.kept.dtype == paddle.float64
    assert net.count.dtype == paddle.int64
    assert "dtype=float64" in repr(net.fc)
    net(paddle.ones([4, 2], "float64")).sum().backward()
    assert net.fc.weight.grad.dtype == paddle.float64
    assert net.float().fc.weight.dtype == paddle.float32
    assert net.astype("float64").fc.bias.dtype == paddle.float64


def test_clear_gradients():
    net = nn.Linear(2, 1)
    net(paddle.ones([1, 2])).backward()
    net.clear_gradients()
    assert net.weight.grad.tolist() == [[0], [0]]
    net.clear_gradients(set_to_zero=False)
    assert net.weight.grad is None


def test_hooks_run_in_order_change_values_and_come_off():
    layer, seen = nn.Linear(2, 2), []
    layer.weight.set_value(np.eye(2, dtype="float32"))

    def before(net, inputs):
        seen.append(("before", net is layer, [x.tolist() for x in inputs]))
        return inputs[0] * 2

    def after(net, inputs, output):
        seen.append(("after", inputs[0].tolist(), output.tolist()))
        return output + 1

    handles = [
        layer.register_forward_pre_hook(before),
        layer.register_forward_pre_hook(lambda net, inputs: None),
    ]
    handles += [
        layer.register_forward_post_hook(after),
        layer.register_forward_post_hook(lambda net, i, o: None),
    ]
    assert layer(paddle.ones([1, 2])).tolist() == [[3, 3]]
    assert seen == [("before", True, [[[1, 1]]]), ("after", [[2, 2]], [[2, 2]])]
    for handle in handles:
        handle.remove()
        handle.remove()
    assert layer(paddle.ones([1, 2])).tolist() == [[1, 1]]
    assert len(seen) == 2


def test_the_default_type_is_what_was_chosen():
    paddle.set_default_dtype("float64")
    try:
        assert nn.Linear(1, 1).weight.dtype == paddle.float64
    finally:
        paddle.set_default_dtype("float32")
    assert nn.Linear(1, 1).weight.dtype == paddle.float32


def test_a_deep_copy_is_a_layer_of_its_own():
    layer = nn.Linear(2, 1)
    twin = copy.deepcopy(layer)
    twin(paddle.ones([1, 2])).backward()
    assert layer.weight.grad is None
    assert twin.weight.grad.tolist() == [[1], [1]]
    assert twin.weight.tolist() == layer.weight.tolist()
    assert twin.weight.name != layer.weight.name
    twin.weight.set_value(np.zeros((2, 1), "float32"))
    assert layer.weight.numpy().any()
