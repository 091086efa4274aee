"""Properties of all optimizers: groups, clipping, rates, state, and errors."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle import optimizer as O
from minipaddle.paddle.optimizer import lr


def parameter(value, name=None):
    made = paddle.to_tensor(np.array(value, "float32"))
    made.stop_gradient = False
    if name:
        made.name = name
    return made


def with_grad(value, grad, name=None):
    made = parameter(value, name)
    made.grad = paddle.to_tensor(np.array(grad, "float32"))
    return made


def test_groups_multiply_the_rate_and_replace_the_decay():
    a, b = with_grad([1.0], [1.0]), with_grad([1.0], [1.0])
    groups = [{"params": [a]}, {"params": [b], "learning_rate": 0.1, "weight_decay": 2.0}]
    O.SGD(0.5, groups, weight_decay=1.0).step()
    assert a.item() == pytest.approx(1 - 0.5 * 2)
    assert b.item() == pytest.approx(1 - 0.05 * 3)


def test_groups_may_replace_numbers_of_the_algorithm():
    a, b = with_grad([1.0], [1.0]), with_grad([1.0], [1.0])
    optimizer = O.Momentum(0.1, 0.9, [{"params": [a]}, {"params": [b], "mu": 0.0}])
    optimizer.step()
    optimizer.step()
    assert a.item() == pytest.approx(1 - 0.1 - 0.19)
    assert b.item() == pytest.approx(1 - 0.1 - 0.1)


def test_what_a_parameter_brings_along_wins():
    w = with_grad([1.0], [1.0])
    w.regularizer = paddle.regularizer.L2Decay(1.0)
    w.optimize_attr = {"learning_rate": 0.5}
    O.SGD(0.1, [w], weight_decay=100.0).step()
    assert w.item() == pytest.approx(1 - 0.05 * 2)


@pytest.mark.parametrize(
    "parameters", [[], [{"params": []}], iter(())], ids=["list", "group", "read generator"]
)
def test_an_optimizer_of_nothing_refuses_to_step(parameters):
    with pytest.raises(IndexError, match=r"^list index out of range: .* is empty"):
        O.SGD(0.5, parameters).step()


CLIPS = {
    "value": (nn.ClipGradByValue(1.5), [[1.5, -1.5], [0.0, 1.0]]),
    "value, lower end": (nn.ClipGradByValue(2.0, -0.5), [[2.0, -0.5], [0.0, 1.0]]),
    "norm": (nn.ClipGradByNorm(2.5), [[1.5, -2.0], [0.0, 1.0]]),
    "global norm": (nn.ClipGradByGlobalNorm(13.0), [[3.0, -4.0], [0.0, 1.0]]),
    "global norm, shortened": (
        nn.ClipGradByGlobalNorm(1.0),
        np.array([[3.0, -4.0], [0.0, 1.0]]) / np.sqrt(26),
    ),
}


@pytest.mark.parametrize("name", CLIPS)
def test_clipping(name):
    clip, expected = CLIPS[name]
    a, b = with_grad([0.0, 0.0], [3.0, -4.0]), with_grad([0.0, 0.0], [0.0, 1.0])
    O.SGD(1.0, [a, b], grad_clip=clip).step()
    np.testing.assert_allclose(-np.stack([a.numpy(), b.numpy()]), expected, rtol=1e-6)
    np.testing.assert_allclose(a.grad.numpy(), expected[0] if "shortened" in name else [3.0, -4.0])


def test_need_clip_false_is_left_alone_and_does_not_count():
    a, b = with_grad([0.0], [3.0]), with_grad([0.0], [4.0])
    b.need_clip = False
    O.SGD(1.0, [a, b], grad_clip=nn.ClipGradByGlobalNorm(3.0)).step()
    assert (a.item(), b.item()) == (-3.0, -4.0)


@pytest.mark.parametrize("make", [O.Adam, O.AdamW])
def test_the_first_step_of_adam_is_the_rate_to_the_last_bit(make):
    """1 - 0.999 is rounded as float32 rounds it, in the mean of squares as in its correction."""
    w = with_grad([1.0], [2.0])
    make(0.1, parameters=[w], **({"weight_decay": 0.0} if make is O.AdamW else {})).step()
    assert w.item() == np.float32(0.9)


def test_minimize_uses_the_gradients_that_backward_left():
    w = parameter([2.0])
    optimizer = O.SGD(0.1, [w])
    loss = (w * w).sum()
    assert optimizer.minimize(loss) == ([], [])
    loss.backward()
    _, pairs = optimizer.minimize(loss)
    assert pairs == [(w, w.grad)]
    assert w.item() == pytest.approx(1.6)


def test_clear_grad_gives_zeros_or_nothing():
    w = with_grad([1.0, 2.0], [1.0, 1.0])
    optimizer = O.SGD(0.1, [w])
    optimizer.clear_grad()
    np.testing.assert_array_equal(w.grad.numpy(), [0, 0])
    optimizer.clear_gradients(False)
    assert w.grad is None


def test_learning_rate_by_hand_and_by_schedule():
    w = with_grad([0.0], [1.0])
    optimizer = O.SGD(0.5, [w])
    optimizer.set_lr(0.25)
    assert optimizer.get_lr() == 0.25
    optimizer.step()
    schedule = lr.StepDecay(0.5, 1, 0.5)
    optimizer.set_lr_scheduler(schedule)
    optimizer.step()
    schedule.step()
    optimizer.step()
    assert w.item() == -0.25 - 0.5 - 0.25
    with pytest.raises(RuntimeError, match="can't be LRScheduler"):
        optimizer.set_lr(0.1)


def trained(state=None, steps=3):
    w = parameter([1.0, 2.0], "w")
    optimizer = O.Adam(lr.StepDecay(0.1, 2), parameters=[w])
    if state is not None:
        values, saved = state
        w.set_value(values)
        optimizer.set_state_dict(saved)
    for step in range(steps):
        w.grad = paddle.to_tensor(np.array([1.0, -2.0 * step], "float32"))
        optimizer.step()
        optimizer._learning_rate.step()
    return w, optimizer


def test_state_has_the_names_of_paddle():
    _, optimizer = trained()
    state = optimizer.state_dict()
    assert list(state) == [
        "w_moment1_0",
        "w_moment2_0",
        "w_beta1_pow_acc_0",
        "w_beta2_pow_acc_0",
        "LR_Scheduler",
    ]
    assert state["w_beta1_pow_acc_0"].shape == [1]
    assert state["LR_Scheduler"]["last_epoch"] == 3
    assert state["w_beta1_pow_acc_0"].item() == pytest.approx(0.9**4)


@pytest.mark.parametrize("suffix", ["_0", "_7"])
def test_a_loaded_state_goes_on_where_it_was(suffix):
    w, optimizer = trained()
    saved = {
        name[:-2] + suffix if name.endswith("_0") else name: v for name, v in optimizer.state_dict().items()
    }
    copies = {name: v if isinstance(v, dict) else v.numpy() for name, v in saved.items()}
    fresh, _ = trained((w.numpy(), copies))
    for step in range(3):
        w.grad = paddle.to_tensor(np.array([1.0, -2.0 * step], "float32"))
        optimizer.step()
        optimizer._learning_rate.step()
    np.testing.assert_array_equal(fresh.numpy(), w.numpy())


def test_an_incomplete_state_names_what_is_missing():
    _, optimizer = trained()
    with pytest.raises(AssertionError, match="LR_Scheduler"):
        optimizer.set_state_dict({})
    with pytest.raises(AssertionError, match="w_moment1_0 not found"):
        optimizer.set_state_dict({"LR_Scheduler": {"last_epoch": 0, "last_lr": 0.1}})


W = parameter([1.0])
ERRORS = {
    "no parameters": (lambda: O.SGD(0.1), AttributeError, "parameters argument given"),
    "one tensor": (lambda: O.SGD(0.1, W), TypeError, "iterable of paddle Tensors"),
    "no tensor": (lambda: O.SGD(0.1, [1.0]), TypeError, "iterable of paddle Tensors"),
    "a dict": (lambda: O.SGD(0.1, {"params": [W]}), TypeError, "list of dict"),
    "a group without params": (lambda: O.SGD(0.1, [{"lr": 1}]), AssertionError, "params should be set"),
    "twice": (lambda: O.SGD(0.1, [{"params": [W]}, {"params": [W]}]), ValueError, "more than one"),
    "rate": (lambda: O.SGD("0.1", [W]), TypeError, "learning rate"),
    "no rate": (lambda: O.SGD(None, [W]), ValueError, "learning_rate is not set"),
    "set_lr": (lambda: O.SGD(0.1, [W]).set_lr("x"), TypeError, "must be float"),
    "clip": (lambda: O.SGD(0.1, [W], grad_clip=3), TypeError, "grad_clip"),
    "decay": (lambda: O.SGD(0.1, [W], weight_decay="x"), TypeError, "weight_decay"),
    "beta1": (lambda: O.Adam(0.1, beta1=1.5, parameters=[W]), ValueError, "beta1"),
    "epsilon": (lambda: O.Adam(0.1, epsilon=-1, parameters=[W]), ValueError, "epsilon"),
    "adamw decay": (lambda: O.AdamW(0.1, parameters=[W], weight_decay="x"), TypeError, "weight_decay"),
    "rho": (lambda: O.RMSProp(0.1, rho=-1, parameters=[W]), ValueError, "rho"),
    "momentum": (lambda: O.Momentum(0.1, None, [W]), ValueError, "momentum is not set"),
    "clip value": (lambda: nn.ClipGradByValue(-1.0), AssertionError, "positive"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    run, kind, words = ERRORS[name]
    with pytest.raises(kind, match=words):
        run()


@pytest.mark.parametrize("shape", [(3, 2, 2), (1,)])
def test_a_gradient_of_the_wrong_shape_is_told_with_the_operator(shape):
    w = parameter([1.0, 2.0])
    w.grad = paddle.to_tensor(np.ones(shape, "float32"))
    with pytest.raises(ValueError, match=r"shape of the parameter, \[2\](.|\n)*operator < sgd >"):
        O.SGD(0.1, [w]).step()
    assert w.tolist() == [1.0, 2.0]


def test_zero_grad_leaves_none_or_zeros():
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    w.sum().backward()
    sgd.zero_grad(set_to_none=False)
    assert w.grad.numpy().tolist() == [0.0]
    sgd.zero_grad()
    assert w.grad is None
