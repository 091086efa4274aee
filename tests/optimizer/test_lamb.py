"""Lamb in Programs and in eager mode; saved states."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import optimizer as O
from minipaddle.paddle import static as S

START = np.random.default_rng(3).uniform(-1, 1, (3, 2))
BATCHES = np.random.default_rng(4).uniform(-1, 1, (6, 4, 3))

MAKERS = {"lamb": lambda ps: O.Lamb(0.1, parameters=ps)}


def loss_of(x, w):
    return (x @ w).tanh().square().mean()


def in_eager_mode(make, steps=BATCHES):
    w = paddle.to_tensor(START, stop_gradient=False)
    optimizer = make([w])
    for batch in steps:
        loss_of(paddle.to_tensor(batch), w).backward()
        optimizer.step()
        optimizer.clear_grad()
    return w.numpy()


@pytest.fixture
def programs():
    paddle.enable_static()
    main, startup = S.Program(), S.Program()
    try:
        with S.program_guard(main, startup), S.scope_guard(S.Scope()), paddle.utils.unique_name.guard():
            yield main, startup
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("name", MAKERS)
def test_a_program_takes_the_steps_of_eager_mode(name, programs):
    main, startup = programs
    x = S.data("x", [4, 3], "float64")
    value = paddle.nn.initializer.Assign(START)
    w = paddle.create_parameter([3, 2], "float64", default_initializer=value)
    ops, _ = MAKERS[name](None).minimize(loss_of(x, w))
    assert [op.type for op in ops] == ["sgd" if name == "lookahead" else name]
    exe = S.Executor()
    exe.run(startup)
    for batch in BATCHES:
        (found,) = exe.run(main, feed={"x": batch}, fetch_list=[w])
    paddle.disable_static()
    np.testing.assert_allclose(
        found, in_eager_mode(MAKERS[name]), rtol=1e-6
    )  # attributes of a Program are float32


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "lookahead"])
def test_a_saved_state_goes_on_where_it_was(name):
    w = paddle.to_tensor(START, stop_gradient=False)
    w.name = "w"
    state = None
    for steps in (BATCHES[:3], BATCHES[3:]):
        optimizer = MAKERS[name]([w])
        if state is not None:
            optimizer.set_state_dict(state)
        for batch in steps:
            loss_of(paddle.to_tensor(batch), w).backward()
            optimizer.step()
            optimizer.clear_grad()
        state = {key: paddle.to_tensor(value.numpy()) for key, value in optimizer.state_dict().items()}
    np.testing.assert_allclose(w.numpy(), in_eager_mode(MAKERS[name]))
