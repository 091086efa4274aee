"""What a user sees of bfloat16: numbers, bits, files, layers, optimizers. (The answers are Paddle 3.3.1's.)"""

import pickle

import numpy as np
import pytest

from minipaddle import paddle


def made(numbers, **options):
    return paddle.to_tensor(numbers, dtype="bfloat16", **options)


def test_a_tensor():
    x = made([[1.0, 2.5], [3.14159, -4.0]])
    assert repr(x) == (
        "Tensor(shape=[2, 2], dtype=bfloat16, place=Place(cpu), stop_gradient=True,\n"
        "       [[ 1.       , 2.50000000],\n"
        "        [3.14062500, -4.       ]])"
    )
    assert x.dtype is paddle.bfloat16
    assert (x.itemsize, x.element_size(), paddle.bfloat16.itemsize) == (2, 2, 2)
    assert x.strides == [2, 1]
    assert x.tolist() == [[1.0, 2.5], [3.140625, -4.0]]
    assert x[1, 0].item() == float(x[1, 0]) == 3.140625
    assert paddle.is_floating_point(x)


def test_numpy_gets_the_bits():
    bits = made([1.0, 2.5]).numpy()
    assert bits.dtype == np.uint16
    assert bits.tolist() == np.asarray(made([1.0, 2.5])).tolist() == [16256, 16416]
    assert paddle.to_tensor(bits).dtype is paddle.bfloat16
    assert paddle.to_tensor(bits).tolist() == [1.0, 2.5]
    assert paddle.to_tensor([1.5], dtype="uint16").dtype is paddle.bfloat16


def test_where_types_meet():
    x = made([1.0, 2.0])
    assert (x * x.astype("float32")).dtype is paddle.float32
    assert (x * x.astype("float16")).dtype is paddle.float32
    assert (x * x.astype("float64")).dtype is paddle.float64
    assert (x * 1.5).dtype is (x + 1).dtype is (paddle.to_tensor(2) * x).dtype is paddle.bfloat16
    assert (x[0] - paddle.to_tensor([1.5])).dtype is paddle.float32
    with pytest.raises(TypeError, match="Type promotion only support"):
        x * x.astype("int64")


def test_a_small_step_is_rounded_away_and_a_sum_of_ones_stops_at_256():
    total = made([255.0])
    for _ in range(5):
        total = total + made([1.0])
    assert total.item() == 256
    assert (made([1.0]) + 0.003).item() == 1


def test_creation():
    for x in (
        paddle.zeros([2], "bfloat16"),
        paddle.full([2], 1.3, paddle.bfloat16),
        paddle.eye(2, dtype="bfloat16"),
    ):
        assert x.dtype is paddle.bfloat16
    assert paddle.full([1], 1.3, "bfloat16").item() == 1.296875
    assert paddle.ones_like(made([1.0])).dtype is paddle.bfloat16
    assert (
        paddle.to_tensor([1.3]).cast_("bfloat16").item()
        == paddle.to_tensor([1.3]).bfloat16().item()
        == 1.296875
    )
    assert repr(paddle.finfo("bfloat16")).startswith(
        "paddle.finfo(min=-3.38953e+38, max=3.38953e+38, eps=0.0078125"
    )
    with pytest.raises(ValueError, match=r"paddle\.iinfo can only be"):
        paddle.iinfo("bfloat16")


def test_the_random_stream_is_that_of_float32():
    for draw in (paddle.rand, paddle.randn):
        paddle.seed(3)
        wide = draw([8])
        paddle.seed(3)
        assert draw([8], "bfloat16").tolist() == wide.astype("bfloat16").tolist()


def test_the_default_type():
    paddle.set_default_dtype("bfloat16")
    try:
        assert paddle.get_default_dtype() == "bfloat16"
        assert paddle.to_tensor([1.5]).dtype is paddle.nn.Linear(2, 2).weight.dtype is paddle.bfloat16
    finally:
        paddle.set_default_dtype("float32")


def test_gradients():
    x = made([1.0, 2.0], stop_gradient=False)
    seen = []
    x.register_hook(lambda grad: seen.append(grad.dtype))
    (x * 3.3).sum().backward()
    (x * 1.7).sum().backward()
    assert x.grad.dtype is seen[0] is paddle.bfloat16
    assert x.grad.tolist() == [5.0, 5.0]
    x.clear_gradient()
    assert x.grad.dtype is paddle.bfloat16
    y = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (y.astype("bfloat16") * 3.3).sum().backward()
    assert y.grad.dtype is paddle.float32
    assert y.grad.tolist() == [3.296875, 3.296875]
    (first,) = paddle.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = paddle.grad(first.sum(), x)
    assert second.dtype is paddle.bfloat16
    assert second.tolist() == [6.0, 12.0]


def test_files(tmp_path):
    layer = paddle.nn.Linear(2, 2).bfloat16()
    path = str(tmp_path / "layer.pdparams")
    paddle.save(layer.state_dict(), path)
    with open(path, "rb") as file:
        assert pickle.load(file)["weight"].dtype == np.uint16
    loaded = paddle.load(path)
    assert loaded["weight"].dtype is paddle.bfloat16
    assert paddle.load(path, return_numpy=True)["weight"].dtype == np.uint16
    other, single = paddle.nn.Linear(2, 2).to(dtype="bfloat16"), paddle.nn.Linear(2, 2)
    other.set_state_dict(loaded)
    single.set_state_dict(loaded)
    assert layer.weight.tolist() == other.weight.tolist() == single.weight.tolist()
    assert single.weight.dtype is paddle.float32
    paddle.save(layer.weight, path)
    assert paddle.load(path).tolist() == layer.weight.tolist()


def test_layers():
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2))
    net.bfloat16(excluded_layers=[paddle.nn.Linear])
    assert [one.dtype.name for one in net.parameters()] == ["float32"] * 2 + ["bfloat16"] * 4
    net.bfloat16()
    assert net(made([[1.0, 2.0], [3.0, 5.0]])).dtype is paddle.bfloat16


@pytest.mark.parametrize(
    "optimizer",
    [paddle.optimizer.SGD, paddle.optimizer.Momentum, paddle.optimizer.Adam, paddle.optimizer.AdamW],
)
def test_a_master_weight_keeps_what_the_parameter_rounds_away(optimizer):
    def trained(dtype, state=None, **options):
        weight = paddle.create_parameter([3], dtype, default_initializer=paddle.nn.initializer.Constant(1.0))
        weight.name = "w"
        training = optimizer(0.0004, parameters=[weight], **options)
        if state is not None:
            training.set_state_dict(state)
        for _ in range(8):
            (weight * paddle.to_tensor([1.0, 2.0, 3.0]).astype(dtype)).sum().backward()
            training.step()
            training.clear_grad()
        return weight, training

    plain, _ = trained("bfloat16")
    held, training = trained("bfloat16", multi_precision=True)
    single, _ = trained("float32")
    assert held.tolist() == single.astype("bfloat16").tolist() != plain.tolist()
    master = training.state_dict()["master_weights"]["w"]
    assert master.dtype is paddle.float32
    assert master.name == "w_fp32_master_0"
    np.testing.assert_allclose(master.numpy(), single.numpy(), rtol=1e-6)
    again, more = trained("bfloat16", training.state_dict(), multi_precision=True)
    assert more.state_dict()["master_weights"]["w"].numpy().max() < master.numpy().max()
    assert again.tolist() != plain.tolist()
