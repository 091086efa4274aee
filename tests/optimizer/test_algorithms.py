"""Twenty steps of every optimizer against its formula in plain NumPy, float64."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.observer import Observer
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.paddle import optimizer as O

STEPS = 20
rng = np.random.default_rng(7)
START = rng.standard_normal((3, 2))
GRADS = rng.standard_normal((STEPS, 3, 2))


def parameter(value=START, name=None):
    made = paddle.to_tensor(value.copy())
    made.stop_gradient = False
    if name:
        made.name = name
    return made


def train(make, grads=GRADS):
    w = parameter()
    optimizer = make([w])
    for grad in grads:
        w.grad = paddle.to_tensor(grad.copy())
        optimizer.step()
    return w.numpy()


def sgd(p, lr=0.1, decay=0.0, sign=False):
    for g in GRADS:
        p = p - lr * (g + decay * (np.sign(p) if sign else p))
    return p


def momentum(p, lr=0.1, mu=0.9, nesterov=False, decay=0.0):
    v = 0
    for g in GRADS:
        g = g + decay * p
        v = mu * v + g
        p = p - lr * (g + mu * v if nesterov else v)
    return p


def adam(p, lr=0.01, b1=0.9, b2=0.999, eps=1e-8, decoupled=0.0, l2=0.0):
    m = v = 0
    for t, g in enumerate(GRADS, 1):
        p = p * (1 - lr * decoupled)
        g = g + l2 * p
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        root = np.sqrt(1 - b2**t)
        p = p - lr * root / (1 - b1**t) * m / (np.sqrt(v) + eps * root)
    return p


def adagrad(p, lr=0.1, eps=1e-6, start=0.0):
    s = start
    for g in GRADS:
        s = s + g * g
        p = p - lr * g / (np.sqrt(s) + eps)
    return p


def rmsprop(p, lr=0.01, rho=0.9, eps=1e-4, mu=0.7, centered=False):
    r = a = v = 0
    for g in GRADS:
        r, a = rho * r + (1 - rho) * g * g, rho * a + (1 - rho) * g
        v = mu * v + lr * g / np.sqrt(r + eps - (a * a if centered else 0))
        p = p - v
    return p


def adamax(p, lr=0.1, b1=0.9, b2=0.999, eps=1e-8):
    m = u = 0
    for t, g in enumerate(GRADS, 1):
        m, u = b1 * m + (1 - b1) * g, np.maximum(b2 * u + eps, np.abs(g))
        p = p - lr / (1 - b1**t) * m / u
    return p


def adadelta(p, lr=0.1, rho=0.95, eps=1e-6):
    s = u = 0
    for g in GRADS:
        s = rho * s + (1 - rho) * g * g
        move = np.sqrt((u + eps) / (s + eps)) * g
        u = rho * u + (1 - rho) * move * move
        p = p - lr * move
    return p


CASES = {
    "sgd": (lambda p: O.SGD(0.1, p), sgd(START)),
    "sgd, float weight_decay is L2": (lambda p: O.SGD(0.1, p, weight_decay=0.3), sgd(START, decay=0.3)),
    "sgd, L2Decay": (
        lambda p: O.SGD(0.1, p, weight_decay=paddle.regularizer.L2Decay(0.3)),
        sgd(START, decay=0.3),
    ),
    "sgd, L1Decay": (
        lambda p: O.SGD(0.1, p, weight_decay=paddle.regularizer.L1Decay(0.3)),
        sgd(START, decay=0.3, sign=True),
    ),
    "momentum": (lambda p: O.Momentum(0.1, 0.9, p), momentum(START)),
    "nesterov": (
        lambda p: O.Momentum(0.1, 0.9, p, use_nesterov=True, weight_decay=0.2),
        momentum(START, nesterov=True, decay=0.2),
    ),
    "adam": (lambda p: O.Adam(0.01, parameters=p), adam(START)),
    "adam, other numbers": (
        lambda p: O.Adam(0.01, 0.8, 0.99, 1e-3, parameters=p, weight_decay=0.1),
        adam(START, b1=0.8, b2=0.99, eps=1e-3, l2=0.1),
    ),
    "adamw": (lambda p: O.AdamW(0.01, parameters=p), adam(START, decoupled=0.01)),
    "adamw without decay by name": (
        lambda p: O.AdamW(0.01, parameters=p, weight_decay=0.5, apply_decay_param_fun=lambda name: False),
        adam(START),
    ),
    "adamw, lr_ratio": (
        lambda p: O.AdamW(0.02, parameters=p, weight_decay=0.5, lr_ratio=lambda parameter: 0.5),
        adam(START, lr=0.01, decoupled=0.5),
    ),
    "adagrad": (lambda p: O.Adagrad(0.1, parameters=p), adagrad(START)),
    "adagrad, start": (
        lambda p: O.Adagrad(0.1, parameters=p, initial_accumulator_value=0.4),
        adagrad(START, start=0.4),
    ),
    "rmsprop": (lambda p: O.RMSProp(0.01, 0.9, 1e-4, 0.7, parameters=p), rmsprop(START)),
    "rmsprop, centered": (
        lambda p: O.RMSProp(0.01, 0.9, 1e-4, 0.7, True, parameters=p),
        rmsprop(START, centered=True),
    ),
    "adamax": (lambda p: O.Adamax(0.1, parameters=p), adamax(START)),
    "adadelta": (lambda p: O.Adadelta(0.1, parameters=p), adadelta(START)),
}


@pytest.mark.parametrize("name", CASES)
def test_twenty_steps(name):
    make, expected = CASES[name]
    np.testing.assert_allclose(train(make), expected, rtol=1e-10, atol=1e-12)


def test_large_parameters_are_updated_in_pieces_like_small_ones(monkeypatch):
    whole = train(CASES["adam"][0])
    monkeypatch.setattr("minipaddle.ops.optimizer_steps.sgd.PIECE", 4)
    np.testing.assert_array_equal(train(CASES["adam"][0]), whole)


def test_a_transposed_parameter_is_updated_whole(monkeypatch):
    monkeypatch.setattr("minipaddle.ops.optimizer_steps.sgd.PIECE", 1)
    w = parameter(np.asfortranarray(START))
    w.grad = paddle.to_tensor(GRADS[0])
    O.SGD(0.1, [w]).step()
    np.testing.assert_allclose(w.numpy(), START - 0.1 * GRADS[0])


def test_the_gradient_is_not_written_to():
    w, g = parameter(), paddle.to_tensor(GRADS[0].copy())
    w.grad = g
    O.Adam(0.1, parameters=[w], weight_decay=0.1).step()
    np.testing.assert_array_equal(g.numpy(), GRADS[0])


def test_a_step_changes_content_only():
    w = parameter()
    (w * w).sum().backward()
    O.SGD(0.1, [w]).step()
    assert w.is_leaf
    assert not w.stop_gradient
    assert w.inplace_version == 0
    np.testing.assert_allclose(w.numpy(), 0.8 * START)


def test_parameters_without_gradient_or_frozen_are_passed_over():
    w, idle, frozen = parameter(), parameter(), parameter()
    w.grad = frozen.grad = paddle.to_tensor(GRADS[0])
    frozen.stop_gradient = True
    optimizer = O.Adam(0.1, parameters=[w, idle, frozen])
    optimizer.step()
    np.testing.assert_array_equal(idle.numpy(), START)
    np.testing.assert_array_equal(frozen.numpy(), START)
    assert not np.array_equal(w.numpy(), START)
    assert len(optimizer.state_dict()) == 4


def test_a_read_only_parameter_gets_memory_of_its_own():
    shared = START.copy()
    shared.flags.writeable = False
    w = paddle.Tensor(shared)
    w.stop_gradient = False
    w.grad = paddle.to_tensor(GRADS[0])
    O.SGD(0.1, [w]).step()
    np.testing.assert_array_equal(shared, START)
    np.testing.assert_allclose(w.numpy(), START - 0.1 * GRADS[0])


class Notes(Observer):
    """An observer that writes down updates."""

    def __init__(self):
        self.seen = []

    def will_write(self, op, target):
        self.seen.append(("write", target.name))

    def called(self, op, inputs, attrs, outputs, inplace):
        self.seen.append((op.type, outputs.name, inplace))


def test_a_watcher_sees_the_update_as_a_call():
    w = parameter(name="w")
    w.grad = paddle.to_tensor(GRADS[0])
    notes = Notes()
    with watching(notes):
        O.Momentum(0.1, parameters=[w]).step()
    assert notes.seen == [("write", "w"), ("write", "w_velocity_0"), ("momentum", "w", True)]
