"""Optimizers that Paddle 2.6.2 does not have in Programs, there and in eager mode; saved states; what a step tells."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import optimizer as O
from minipaddle.paddle import static as S

START = np.random.default_rng(3).uniform(-1, 1, (3, 2))
BATCHES = np.random.default_rng(4).uniform(-1, 1, (6, 4, 3))

MAKERS = {
    "amsgrad": lambda ps: O.Adam(0.1, beta2=0.9, parameters=ps, amsgrad=True),
    "amsgradw": lambda ps: O.AdamW(0.1, beta2=0.9, parameters=ps, amsgrad=True),
    "nadam": lambda ps: O.NAdam(0.1, parameters=ps),
    "radam": lambda ps: O.RAdam(0.1, beta2=0.9, parameters=ps),
    "asgd": lambda ps: O.ASGD(0.1, 3, ps),
    "rprop": lambda ps: O.Rprop(0.1, parameters=ps),
    "lamb": lambda ps: O.Lamb(0.1, parameters=ps),
    "lookahead": lambda ps: paddle.incubate.LookAhead(O.SGD(0.1, ps), k=2),
}


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


def curve(line_search, steps):
    """An optimizer after some steps of a least squares problem, its matrix and the parameter."""
    w = paddle.to_tensor(START[:, 0], stop_gradient=False)
    x = paddle.to_tensor(BATCHES[0])
    optimizer = O.LBFGS(max_iter=2, line_search_fn=line_search, parameters=[w])

    def closure():
        optimizer.clear_grad()
        loss = (x @ w - 1).square().sum()
        loss.backward()
        return loss

    return optimizer, [float(optimizer.step(closure)) for _ in range(steps)], w, closure


def test_lbfgs_finds_the_least_squares_solution():
    _, losses, w, _ = curve("strong_wolfe", 20)
    wanted = np.linalg.lstsq(BATCHES[0], np.ones(4), rcond=None)[0]
    np.testing.assert_allclose(w.numpy(), wanted, atol=1e-5)
    assert losses == sorted(losses, reverse=True)


def test_lbfgs_goes_on_from_a_saved_state():
    optimizer, _, w, closure = curve(None, 2)
    state, place = optimizer.state_dict(), w.numpy()
    optimizer.step(closure)
    there = w.numpy()
    w.set_value(place)
    other = O.LBFGS(max_iter=2, parameters=[w])
    other.set_state_dict(state)
    other.step(closure)
    np.testing.assert_allclose(w.numpy(), there, rtol=1e-12)


def test_lbfgs_trains_all_groups_and_needs_a_closure():
    a, b = (paddle.to_tensor(number, stop_gradient=False) for number in ([2.0], [3.0]))
    optimizer = O.LBFGS(0.4, parameters=[{"params": [a]}, {"params": [b]}])

    def closure():
        optimizer.clear_grad()
        loss = (a * a + b * b).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    assert abs(a.item()) < 1e-3
    assert abs(b.item()) < 1e-3
    with pytest.raises(TypeError, match="closure"):
        optimizer.step()


def test_every_call_of_the_function_is_counted():
    calls = []

    def function(x):
        calls.append(x)
        return (x**4 - x).sum()

    found = paddle.incubate.optimizer.functional.minimize_bfgs(function, paddle.to_tensor([2.0]))
    assert int(found[1]) == len(calls)
    assert found[2].item() == pytest.approx(0.25 ** (1 / 3), abs=1e-4)
