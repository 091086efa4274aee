"""Optimizers in Programs: the numbers of eager execution, groups, schedules, several optimizers."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import optimizer as O

S = paddle.static
X = np.random.default_rng(3).uniform(-1, 1, (4, 3)).astype("float32")
START = np.random.default_rng(4).uniform(-1, 1, (3, 2)).astype("float32")
STEPS = 5

OPTIMIZERS = {
    "SGD": lambda **o: O.SGD(0.1, **o),
    "Momentum": lambda **o: O.Momentum(0.1, use_nesterov=True, weight_decay=0.05, **o),
    "Adam": lambda **o: O.Adam(0.1, weight_decay=paddle.regularizer.L1Decay(0.05), **o),
    "AdamW": lambda **o: O.AdamW(0.1, lr_ratio=lambda p: 0.5, **o),
    "Adamax": lambda **o: O.Adamax(0.1, **o),
    "Adagrad": lambda **o: O.Adagrad(0.1, initial_accumulator_value=0.3, **o),
    "Adadelta": lambda **o: O.Adadelta(0.1, **o),
    "RMSProp": lambda **o: O.RMSProp(0.05, momentum=0.5, centered=True, **o),
    "clipped by norm": lambda **o: O.SGD(0.1, grad_clip=paddle.nn.ClipGradByNorm(0.1), **o),
    "clipped by global norm": lambda **o: O.SGD(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1), **o),
    "clipped by value": lambda **o: O.SGD(0.1, grad_clip=paddle.nn.ClipGradByValue(0.01), **o),
}


def weight(name="w", value=START):
    given = paddle.ParamAttr(name=name, initializer=paddle.nn.initializer.Assign(value))
    return paddle.create_parameter(list(value.shape), "float32", attr=given)


def loss_of(x, w):
    return paddle.mean(paddle.square(paddle.tanh(x @ w) - 0.3))


def train(loss, *fetches, steps=STEPS):
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(feed={"x": X}, fetch_list=[loss, *fetches]) for _ in range(steps)]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_is_that_of_eager_execution(name, building):
    w = weight()
    loss = loss_of(S.data("x", [-1, 3]), w)
    OPTIMIZERS[name]().minimize(loss)
    found = train(loss, w)[-1][1]
    paddle.disable_static()
    v = weight()
    optimizer = OPTIMIZERS[name](parameters=[v])
    for _ in range(STEPS):
        loss_of(paddle.to_tensor(X), v).backward()
        optimizer.step()
        optimizer.clear_grad()
    np.testing.assert_allclose(found, v.numpy(), rtol=1e-5, atol=1e-6)
    assert not np.allclose(found, START)


def test_groups_have_their_own_rate_and_decay(building):
    a, b = weight("a", np.ones((1, 1), "float32")), weight("b", np.ones((1, 1), "float32"))
    loss = paddle.mean(a + b) + 0 * paddle.mean(S.data("x", [-1, 3]))
    groups = [{"params": [a], "learning_rate": 0.5}, {"params": [b], "weight_decay": 1.0}]
    _, pairs = O.SGD(0.1, parameters=groups).minimize(loss)
    assert [parameter.name for parameter, _ in pairs] == ["a", "b"]
    (_, first, second) = train(loss, a, b, steps=1)[0]
    assert first.item() == pytest.approx(1 - 0.05)
    assert second.item() == pytest.approx(1 - 0.2)


def test_an_optimizer_trains_only_what_it_was_given(building):
    a, b = weight("a"), weight("b")
    loss = loss_of(S.data("x", [-1, 3]), a + b)
    O.SGD(0.1, parameters=[b]).minimize(loss)
    (_, first, second) = train(loss, a, b, steps=1)[0]
    assert np.array_equal(first, START)
    assert not np.array_equal(second, START)


def test_a_schedule_is_read_before_each_run(building):
    schedule = O.lr.ExponentialDecay(0.5, gamma=0.5)
    loss = loss_of(S.data("x", [-1, 3]), weight())
    O.SGD(schedule).minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    seen = []
    for _ in range(3):
        seen += [float(value) for value in exe.run(feed={"x": X}, fetch_list=["learning_rate_0"])]
        schedule.step()
    assert seen == [0.5, 0.25, 0.125]


def test_a_program_for_test_has_no_schedule(building):
    loss = loss_of(S.data("x", [-1, 3]), weight())
    test = S.default_main_program().clone(for_test=True)
    O.SGD(O.lr.ExponentialDecay(0.5, gamma=0.5)).minimize(loss)
    later = S.default_main_program().clone(for_test=True)
    assert len(S.default_main_program().schedules) == 1
    assert not test.schedules
    assert not later.schedules


def test_a_clone_goes_on_training(building):
    w = weight()
    loss = loss_of(S.data("x", [-1, 3]), w)
    O.Momentum(0.1).minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    losses = [
        float(exe.run(program, {"x": X}, [loss])[0])
        for program in (S.default_main_program(), S.default_main_program().clone()) * 3
    ]
    assert losses == sorted(losses, reverse=True)
    assert len(set(losses)) == 6


def test_state_belongs_to_an_optimizer_and_a_program(building):
    optimizer = O.Momentum(0.1)
    for _ in range(2):
        with S.program_guard(S.Program(), S.Program()):
            optimizer.minimize(loss_of(S.data("x", [-1, 3]), weight()))
            names = {one.name for one in S.default_main_program().list_vars() if one.persistable}
            assert len(names) == 3
            kinds = [op.type for op in S.default_startup_program().global_block().ops]
            assert kinds == ["assign_value", "fill_constant", "fill_constant"]


def test_float64_parameters_have_a_float64_rate(building):
    w = S.create_parameter([3, 2], "float64", name="w")
    loss = paddle.mean(S.data("x", [-1, 3], "float64") @ w)
    O.Adam(0.1).minimize(loss)
    kept = {one.name: one.meta.dtype.name for one in S.default_main_program().list_vars() if one.persistable}
    assert set(kept.values()) == {"float64"}


def test_step_is_for_dynamic_mode(building):
    with pytest.raises(AssertionError, match="dynamic"):
        O.SGD(0.1).step()


def test_eager_backward_returns_pairs():
    w = weight()
    optimizer = O.SGD(0.1, parameters=[w])
    pairs = optimizer.backward(loss_of(paddle.to_tensor(X), w))
    assert pairs[0][0] is w
    optimizer.apply_gradients(pairs)
    assert not np.array_equal(w.numpy(), START)


def test_clipping_keeps_a_0_d_parameter_0_d():
    w = paddle.create_parameter([], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    (w * 3).backward()
    O.SGD(0.1, parameters=[w], grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)).step()
    assert w.shape == []
    assert w.item() == pytest.approx(0.9)
