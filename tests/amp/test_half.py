"""The reason for loss scaling: float16 has few exponents and loses small and large numbers.

Read from the top: each test is a step of a lesson, which runs as on a GPU (``FLAGS_emulate_amp``).
"""

import numpy as np
import pytest

from minipaddle import paddle

F = paddle.nn.functional


@pytest.fixture(autouse=True)
def emulated():
    paddle.set_flags({"FLAGS_emulate_amp": True})
    yield
    paddle.set_flags({"FLAGS_emulate_amp": False})


def small_network():
    """A network with one weight of 1, for which all numbers below can be computed by hand."""
    weight = paddle.create_parameter(
        [1, 1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0)
    )
    return weight, paddle.optimizer.SGD(1000.0, parameters=[weight])


def step(dtype, scaler=None, size=1.0, steps=1):
    """Multiply by the weight in `dtype`, shrink the result, step; return the weight and its gradient."""
    weight, training = small_network()
    for _ in range(steps):
        with paddle.amp.auto_cast(dtype=dtype, level="O2", custom_black_list=["scale"]):
            product = paddle.full([1, 1], size) @ weight
        loss = (product.astype("float32") * 1e-8).sum()
        training.clear_grad()
        (loss if scaler is None else scaler.scale(loss)).backward()
        gradient = weight.grad.item()
        if scaler is None:
            training.step()
        else:
            scaler.step(training)
            scaler.update()
    return weight.item(), gradient


def test_1_float16_takes_a_small_gradient_for_zero():
    assert step("float16") == (1.0, 0.0)


def test_2_a_scaled_loss_brings_the_gradient_through_float16_and_the_step_is_the_same():
    scaler = paddle.amp.GradScaler(init_loss_scaling=2.0**16)
    weight, gradient = step("float16", scaler)
    assert gradient == pytest.approx(1e-8 * 2**16, rel=1e-3)
    assert weight == pytest.approx(1 - 1e-5, abs=1e-7)


def test_3_what_is_large_overflows_in_float16_alone():
    with paddle.amp.auto_cast(dtype="float16", level="O2"):
        half = paddle.full([1, 300], 16.0) @ paddle.full([300, 1], 16.0)
    single = paddle.full([1, 300], 16.0) @ paddle.full([300, 1], 16.0)
    assert half.item() == np.inf
    assert half.dtype is paddle.float16
    assert single.item() == 76800.0


def test_4_a_scale_that_is_too_large_overflows_and_is_halved_until_it_fits():
    scaler = paddle.amp.GradScaler(init_loss_scaling=2.0**45)
    scales = []
    for _ in range(5):
        weight, _ = step("float16", scaler)
        scales.append((float(scaler._scale), weight < 1.0))
    assert scales == [(2.0**44, False), (2.0**43, False), (2.0**42, False), (2.0**42, True), (2.0**42, True)]


def test_5_a_small_step_is_rounded_away_without_a_master_weight():
    def trained(master_weight):
        paddle.seed(0)
        net = paddle.nn.Linear(4, 1)
        net.weight.set_value(paddle.ones([4, 1]))
        training = paddle.optimizer.SGD(0.0002, parameters=net.parameters())
        net, training = paddle.amp.decorate(
            net, training, level="O2", dtype="float16", master_weight=master_weight
        )
        assert net.weight.dtype is paddle.float16
        for _ in range(100):
            with paddle.amp.auto_cast(dtype="float16", level="O2"):
                loss = net(paddle.ones([2, 4])).mean()
            loss.backward()
            training.step()
            training.clear_grad()
        return net.weight

    assert trained(False).tolist() == [[1.0]] * 4
    assert trained(None).tolist() == [[0.97998046875]] * 4


def test_what_is_cast():
    x = paddle.ones([2, 2])
    with paddle.amp.auto_cast():
        assert (x @ x).dtype is paddle.float16
        assert F.softmax(x @ x).dtype is paddle.float32
        assert ((x @ x) + x).dtype is paddle.float32


@pytest.mark.parametrize(
    "call",
    [
        lambda: paddle.amp.auto_cast(dtype="bfloat16"),
        lambda: paddle.amp.decorate(paddle.nn.Linear(2, 2), level="O2", dtype="bfloat16"),
        lambda: paddle.ones([2], "bfloat16"),
        lambda: paddle.ones([2]).astype("paddle.bfloat16"),
        lambda: paddle.to_tensor(np.zeros(2, np.uint16)),
        lambda: paddle.nn.Linear(2, 2).to(dtype="bfloat16"),
        lambda: paddle.ones([2]).bfloat16(),
        lambda: paddle.bfloat16,
    ],
)
def test_bfloat16_is_refused_by_name(call):
    with pytest.raises((TypeError, AttributeError), match=r"bfloat16: bfloat16 is float32 with fewer bits"):
        call()
