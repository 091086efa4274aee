"""jit.save and jit.load: a traced Layer in two files."""

import json

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import jit, nn
from minipaddle.paddle.static import InputSpec

X = np.random.default_rng(0).random((5, 4), "f4")
SPEC = [InputSpec([None, 4], "float32", "x")]


@pytest.fixture
def net():
    paddle.seed(1)
    return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1D(6), nn.Tanh(), nn.Linear(6, 2))


@pytest.fixture
def saved(net, tmp_path):
    net.eval()
    jit.save(net, str(tmp_path / "deep" / "model"), SPEC)
    return str(tmp_path / "deep" / "model")


def test_it_computes_the_same(net, saved):
    loaded = jit.load(saved)
    np.testing.assert_array_equal(loaded(paddle.to_tensor(X)).numpy(), net(paddle.to_tensor(X)).numpy())
    np.testing.assert_array_equal(loaded(X[:2]).numpy(), net(paddle.to_tensor(X[:2])).numpy())


def test_it_has_the_same_state(net, saved):
    loaded = jit.load(saved).state_dict()
    assert loaded.keys() == net.state_dict().keys()
    for name, tensor in net.state_dict().items():
        np.testing.assert_array_equal(loaded[name].numpy(), tensor.numpy())


def test_it_can_be_trained_further(saved):
    loaded = jit.load(saved)
    optimizer = paddle.optimizer.SGD(0.1, parameters=loaded.parameters())
    losses = []
    for _ in range(3):
        loss = (loaded(paddle.to_tensor(X)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[2] < losses[1] < losses[0]


def test_functions_with_several_results(tmp_path):
    function = jit.to_static(lambda x: (x + 1, [x * 2]), input_spec=SPEC)
    jit.save(function, str(tmp_path / "f"))
    one, two = jit.load(str(tmp_path / "f"))(X)
    np.testing.assert_array_equal(one.numpy(), X + 1)
    np.testing.assert_array_equal(two.numpy(), X * 2)


def test_a_pylayer_is_saved_with_its_gradient(tmp_path):
    class Odd(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return paddle.tanh(x)

        @staticmethod
        def backward(ctx, dy):
            return dy * 5

    jit.save(jit.to_static(lambda x: Odd.apply(x), input_spec=SPEC), str(tmp_path / "odd"))
    x = paddle.to_tensor(X, stop_gradient=False)
    jit.load(str(tmp_path / "odd"))(x).sum().backward()
    assert (x.grad.numpy() == 5).all()


def test_without_knowing_the_arguments(net, tmp_path):
    with pytest.raises(ValueError, match="input_spec"):
        jit.save(net, str(tmp_path / "model"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["", "folder/", 3])
def test_a_path_that_names_no_file(net, path):
    with pytest.raises(ValueError, match="file_prefix"):
        jit.save(net, path, SPEC)


def test_what_is_no_layer(tmp_path):
    with pytest.raises(TypeError, match="'Layer' or 'Function'"):
        jit.save(3, str(tmp_path / "model"), SPEC)


def damaged(text, change):
    data = json.loads(text)
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(version=99),
        lambda data: data.update(format="something"),
        lambda data: data.pop("feeds"),
        lambda data: data.update(fetches=["nobody"]),
        lambda data: data.update(blocks="none"),
    ],
)
def test_a_damaged_program_is_refused_by_name(saved, change):
    path = saved + ".pdmodel"
    with open(path) as file:
        text = damaged(file.read(), change)
    with open(path, "w") as file:
        file.write(text)
    with pytest.raises(ValueError, match=r"model\.pdmodel"):
        jit.load(saved)


def test_a_program_of_real_paddle_is_refused(saved):
    with open(saved + ".pdmodel", "wb") as file:
        file.write(b"\x0a\x80\x01\x08\x00")
    with pytest.raises(ValueError, match="real Paddle"):
        jit.load(saved)


def test_missing_values_are_named(saved):
    paddle.save({}, saved + ".pdiparams")
    with pytest.raises(ValueError, match="no value of shape"):
        jit.load(saved)


def test_no_such_file(tmp_path):
    with pytest.raises(ValueError, match="nothing"):
        jit.load(str(tmp_path / "nothing"))
