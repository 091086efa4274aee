"""Mixed precision as on a GPU, emulated: which operators are cast, what overflows, which steps are skipped."""

import warnings

import numpy as np
import pytest

from minipaddle import paddle

F = paddle.nn.functional
HALF, SINGLE = paddle.float16, paddle.float32


@pytest.fixture(autouse=True)
def emulated():
    paddle.set_flags({"FLAGS_emulate_amp": True})
    yield
    paddle.set_flags({"FLAGS_emulate_amp": False})


@pytest.mark.parametrize(
    ("level", "product", "softmax", "activation"),
    [
        ("O0", SINGLE, SINGLE, SINGLE), ("O1", HALF, SINGLE, SINGLE), ("O2", HALF, HALF, HALF),
        ("OD", HALF, SINGLE, SINGLE),
    ],
)  # fmt: skip
def test_calls_are_cast_by_the_lists(level, product, softmax, activation):
    x = paddle.ones([2, 2])
    with paddle.amp.auto_cast(level=level):
        assert (x @ x).dtype is product
        assert F.softmax(x).dtype is softmax
        assert F.relu(x).dtype is activation
        assert F.relu(x.astype(HALF)).dtype is (SINGLE if level == "OD" else HALF)
    assert (x @ x).dtype is SINGLE


def test_users_lists_and_mixed_operands():
    x, half = paddle.ones([2, 2]), paddle.ones([2, 2], "float16")
    with paddle.amp.auto_cast(custom_white_list=["relu"], custom_black_list=["matmul_v2"]):
        assert F.relu(x).dtype is HALF
        assert (half @ half).dtype is SINGLE
        assert (half + x).dtype is SINGLE
        assert F.sigmoid(half).dtype is HALF
    with paddle.amp.auto_cast():
        assert paddle.nn.Linear(2, 3)(x).dtype is HALF
        assert F.softmax(half).dtype is SINGLE


@paddle.amp.auto_cast(enable=False)
def not_cast(x):
    return x @ x


def test_decorated_functions_and_gradients():
    @paddle.amp.auto_cast()
    def product(x, y):
        return x @ y

    x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
    y = product(x, paddle.ones([2, 2]))
    y.sum().backward()
    assert y.dtype is HALF
    assert x.grad.dtype is SINGLE
    assert x.grad.tolist() == [[2.0, 2.0]]
    assert not_cast(x).dtype is SINGLE if x.shape[0] == x.shape[1] else True


def trained(scaler, gradients, capsys=None):
    """Return the scale after steps with these gradients (of an unscaled loss), and whether each moved the weight."""
    weight = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    opt = paddle.optimizer.SGD(0.25, parameters=[weight])
    found = []
    for gradient in gradients:
        before = weight.item()
        scaler.scale(weight * paddle.to_tensor(gradient)).backward()
        scaler.step(opt)
        scaler.update()
        opt.clear_grad()
        found.append((float(scaler._scale), before - weight.item()))
    return found


def test_a_step_that_overflowed_is_left_out_and_halves_the_scale(capsys):
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0, incr_every_n_steps=2, decr_every_n_nan_or_inf=1)
    assert trained(scaler, [1.0, np.inf, 2.0, 4.0, np.nan]) == [
        (8.0, 0.25), (4.0, 0.0), (4.0, 0.5), (8.0, 1.0), (4.0, 0.0),
    ]  # fmt: skip
    assert capsys.readouterr().out.splitlines()[0] == (
        "Found inf or nan, current scale is: 8.0, decrease to: 8.0*0.5"
    )


def test_two_bad_steps_in_a_row():
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0, decr_every_n_nan_or_inf=2, decr_ratio=0.25)
    assert [scale for scale, _ in trained(scaler, [np.inf, 1.0, np.inf, np.inf])] == [8.0, 8.0, 8.0, 2.0]
    fixed = paddle.amp.GradScaler(init_loss_scaling=8.0, use_dynamic_loss_scaling=False)
    assert trained(fixed, [np.inf, 1.0]) == [(8.0, 0.0), (8.0, 0.25)]


def test_float16_overflows_at_a_large_scale_and_trains_at_a_smaller_one():
    paddle.seed(1)
    net = paddle.nn.Linear(2, 1)
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    scaler = paddle.amp.GradScaler(init_loss_scaling=2.0**17)
    moved = []
    for _ in range(3):
        before = net.weight.numpy()
        with paddle.amp.auto_cast(level="O2"):
            loss = (net(paddle.ones([3, 2])) ** 2).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        opt.clear_grad()
        moved.append(bool((before != net.weight.numpy()).any()))
    assert moved == [False, False, True]
    assert float(scaler._scale) == 2.0**15


def test_minimize_and_state():
    one, other = paddle.amp.GradScaler(init_loss_scaling=4.0, incr_every_n_steps=2), paddle.amp.GradScaler()
    weight = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    opt = paddle.optimizer.SGD(0.25, parameters=[weight])
    for factor, after in ((1.0, 0.75), (np.inf, 0.75)):
        scaled = one.scale(weight * factor)
        scaled.backward()
        one.minimize(opt, scaled)
        opt.clear_grad()
        assert weight.item() == after
    other.load_state_dict(one.state_dict())
    assert other.state_dict() == one.state_dict()
    assert one.state_dict() == {
        "scale": [2.0], "incr_ratio": 2.0, "decr_ratio": 0.5, "incr_every_n_steps": 2, "decr_every_n_nan_or_inf": 1,
        "incr_count": 0, "decr_count": 0, "use_dynamic_loss_scaling": True,
    }  # fmt: skip
    with pytest.raises(RuntimeError, match="The input state dict is empty"):
        other.load_state_dict({})


def test_wrong_order_of_calls():
    weight = paddle.create_parameter([1], "float32")
    opt = paddle.optimizer.SGD(0.25, parameters=[weight])
    scaler = paddle.amp.GradScaler()
    scaler.unscale_(opt)
    with pytest.raises(RuntimeError, match="has already been called on this optimizer"):
        scaler.unscale_(opt)
    scaler.step(opt)
    with pytest.raises(RuntimeError, match="step\\(\\) has already been called"):
        scaler.step(opt)
    with pytest.raises(RuntimeError, match="after step\\(\\)"):
        scaler.unscale_(opt)
    scaler.update()
    scaler.step(opt)


def test_settings():
    scaler = paddle.amp.GradScaler()
    scaler.load_state_dict({**scaler.state_dict(), "scale": [16.0]})
    assert scaler.state_dict()["scale"].tolist() == [16.0]
    with pytest.raises(AssertionError, match="incr_ratio must be > 1"):
        paddle.amp.GradScaler(incr_ratio=1.0)
    with pytest.raises(AssertionError, match="decr_ratio must be < 1"):
        paddle.amp.GradScaler(decr_ratio=1.0)


def test_decorate_casts_all_but_normalizations_and_what_is_excluded():
    kept = paddle.nn.Linear(2, 2)
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.LayerNorm(2), kept, paddle.nn.PReLU())
    assert paddle.amp.decorate(net, level="O2", excluded_layers=[kept, paddle.nn.PReLU]) is net
    assert [p.dtype for p in net.parameters()] == [HALF, HALF, SINGLE, SINGLE, SINGLE, SINGLE, SINGLE]
    assert paddle.amp.decorate(paddle.nn.Linear(2, 2)).weight.dtype is SINGLE


def test_the_environment_emulates_too(monkeypatch):
    paddle.set_flags({"FLAGS_emulate_amp": False})
    monkeypatch.setenv("FLAGS_emulate_amp", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paddle.amp.GradScaler().state_dict() != {}
