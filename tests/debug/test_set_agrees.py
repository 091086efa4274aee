"""`set` and `set --rerun` give the same numbers, wherever the cursor is and whatever is set, or one says why not."""

import copy

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import NoMove, Session
from minipaddle.tools.debug.set_and_rerun import together
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.sources.eager.substituting import Putting

static = paddle.static


class Two(paddle.autograd.PyLayer):
    """Two inputs and outputs, and one input that gets no gradient."""

    @staticmethod
    def forward(ctx, x, y, factor):
        ctx.save_for_backward(x, y)
        return x * y * factor, x + y

    @staticmethod
    def backward(ctx, dp, dq):
        _, y = ctx.saved_tensor()
        return dp * y * 3.0 + dq, None


def leaves():
    return [paddle.to_tensor([1.0, 1.0], stop_gradient=False) for _ in range(2)]


def py_layer():
    x, y = leaves()
    p, q = Two.apply(x, y, 3.0)
    (p + q).sum().backward()


def twice():
    x, _ = leaves()
    (g,) = paddle.grad((x**3).sum(), x, create_graph=True)
    (g * g).sum().backward()


def cut_off():
    x, _ = leaves()
    y = x * 2
    z = y.detach()
    z.stop_gradient = False
    (z * y).sum().backward()


def in_place():
    x, y = leaves()
    h = x * y
    part = h[:1]
    h.add_(paddle.to_tensor([1.0, 1.0]))
    h[0] = 5.0
    (h.sum() + part.sum() + (h * x).sum()).backward()


def hooks():
    x, y = leaves()
    h = x * y
    h.register_hook(lambda grad: grad * 2)
    x.register_hook(lambda grad: grad + 1)
    h.retain_grads()
    (h * h + x).sum().backward()


def program():
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("fed", [2], "float32")
        w = static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        h = static.nn.cond(paddle.mean(x) > 0, lambda: x * w * w, lambda: x - w)
        h = static.nn.static_pylayer(lambda a: a * a, [h], lambda g: g * 3)
        i = paddle.full([1], 0, "int64")
        _, out = static.nn.while_loop(lambda i, a: i < 2, lambda i, a: [i + 1, a * w], [i, h])
        loss = paddle.mean(out)
        paddle.optimizer.SGD(0.1).minimize(loss)
        exe = static.Executor()
        exe.run(static.default_startup_program())
        exe.run(feed={"fed": np.ones(2, "float32")}, fetch_list=[loss])


@pytest.fixture
def mode(script):
    if script is program:
        paddle.enable_static()
    yield
    paddle.disable_static()


def recorded(script, recorder):
    with paddle.utils.unique_name.guard(), watching(recorder):
        script()
    return recorder.finish()


def run_again(script, puts):
    recorder = Putting(puts, 1, __file__)
    made = recorded(script, recorder)
    if recorder.missing:
        raise AssertionError(f"nowhere to put {puts[-1]}")
    return made


@pytest.mark.parametrize(
    "script", [py_layer, twice, cut_off, in_place, hooks, program], ids=lambda one: one.__name__
)
def test_both_give_the_same_numbers(script, mode):
    """What was set at the end of a body, a sum or a rule of operators was left out by one, and the other lost it."""
    trace = recorded(script, Recorder(__file__))
    trace.again = lambda puts: run_again(script, puts)
    compared = 0
    for position in range(len(Session(trace).stops)):
        session = Session(trace)
        session.position = position
        values = {value.name: value for value in trace.known([*session.event.inputs, *session.event.outputs])}
        for name, value in values.items():
            if value.array is None or value.array.dtype.kind != "f":
                continue
            compared += agree(trace, position, name)
    assert compared > len(trace.events) // 2


def agree(trace, position, name):
    """Set a value in both ways and compare; return whether the second was possible."""
    one, other = (Session(copy.copy(trace)) for _ in range(2))
    one.position = other.position = position
    value = one.made(name)
    if value is None:
        return False
    numbers = value.array * 1.5 + 0.25
    fork = Forks(one).set(name, numbers)
    try:
        again = Forks(other).set_again(name, numbers)
    except NoMove as error:
        if "cannot be put in here" not in str(error):
            raise
        return False
    here = trace.events[Session(trace).stops[position]].index
    for a, b in together(fork.trace, again.trace):
        pairs = zip(fork.trace.known(a.outputs), again.trace.known(b.outputs), strict=True)
        for x, y in pairs if a.index >= here else ():
            if x.array is not None and x.stale is None:
                np.testing.assert_allclose(
                    x.array, y.array, 1e-5, 1e-6, err_msg=f"{name} at {position}: {a.title}"
                )
    assert not again.says
    return True
