"""In a Program the script's variables are other names for what was bound to them, and for nothing else."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Session
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.record import Recorder
from minipaddle.tools.words.terminal import ASCII
from tests.support.recordings import recorded

static = paddle.static


def helper(x):
    inside = paddle.exp(x)
    return inside + 1


@pytest.fixture
def trace(eager_afterwards):
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [2, 3], "float32")
        h = static.nn.fc(x, 4, activation="relu")
        whole = helper(h * 2)
        size = int(paddle.scale(whole).shape[0])
        out = static.nn.cond(paddle.mean(whole) > size, lambda: paddle.tanh(whole), lambda: whole - 1)
        for _ in range(2):
            out = paddle.tanh(out)
        loss = paddle.mean(out)
        grads = static.append_backward(loss)
    assert grads
    exe = static.Executor()
    exe.run(startup)
    return recorded(lambda: exe.run(main, feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss]))


@pytest.fixture
def eager_afterwards():
    paddle.enable_static()
    yield
    paddle.disable_static()


def test_a_variable_names_what_is_bound_to_it_and_nothing_on_the_way(trace):
    """Not the matmul in fc, what a function is handed (h * 2), what becomes an int, or the condition of cond."""
    assert [(trace.events[trace.values[id_].producer].title, name) for id_, name in trace.bound.items()] == [
        ("relu", "h"),
        ("exp", "inside"),
        ("scale", "whole"),
        ("tanh", "out"),
        ("mean", "loss"),
    ]


def test_the_debugger_knows_both_names(trace):
    session = Session(trace)
    paddles = next(trace.values[id_].name for id_, name in trace.bound.items() if name == "loss")
    assert paddles != "loss"
    assert session.goto("loss") is session.goto(paddles)
    assert session.find("loss") is session.find(paddles)
    session.position = len(session.stops) - 1
    assert session.find("loss@GRAD") is session.find(f"{paddles}@GRAD") is not None


@pytest.mark.parametrize("stop", ["break var:h", "watch h"])
def test_the_debugger_stops_at_a_variable_of_the_script(trace, stop):
    prompt = Prompt(Session(trace), ASCII, [].append)
    for command in (stop, "continue"):
        prompt.onecmd(command)
    assert [trace.bound.get(id_) for id_ in prompt.session.event.outputs] == ["h"]


def test_a_picture_says_it_in_place_of_paddles_name(trace):
    (node,) = (one for one in mirror(trace).nodes.values() if trace.bound.get(one.value) == "loss")
    assert label(node)[1].startswith("loss []")


def twice(v):
    return v * 2


@pytest.fixture
def rebound(eager_afterwards):
    """Variables that are given something else, in every way that keeps a Variable of the Program."""
    with static.program_guard(static.Program(), static.Program()):
        feed = static.data("x", [2], "float32")
        w = static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(3.0))
        by_call = feed + 1
        by_call = twice(by_call)
        by_branch = feed + 2
        by_branch = static.nn.cond(paddle.mean(feed) > 0, lambda: by_branch * w, lambda: by_branch)
        by_layer = feed + 3
        by_layer = static.nn.static_pylayer(twice, [by_layer], twice)
        first = by_call + 1
        older = feed * 7
        older = first
        count, by_loop = paddle.full([1], 0, "int64"), feed + 4
        count, by_loop = static.nn.while_loop(
            lambda i, y: i < 3, lambda i, y: [i + 1, y * w], [count, by_loop]
        )
        left, right = paddle.split(by_loop, 2)
        held = {name: one for name, one in locals().items() if isinstance(one, static.Variable)}
        exe = static.Executor()
        recorder = Recorder()
        with watching(recorder):
            exe.run(static.default_startup_program())
            numbers = exe.run(feed={"x": np.ones([2], "float32")}, fetch_list=list(held.values()))
    return Session(recorder.finish()), dict(zip(held, numbers))


def test_a_variable_that_was_given_something_else_is_that(rebound):
    """Where `y = helper(y)` stood, y was said to be what it was before."""
    session, numbers = rebound
    session.position = len(session.stops) - 1
    assert {"feed", "w", "by_call", "by_branch", "by_layer", "by_loop", "left", "right"} <= set(numbers)
    found = {name: session.find(name).array.tolist() for name in numbers}
    assert found == {name: array.tolist() for name, array in numbers.items()}
    assert session.find("older") is session.find("first")


def test_a_parameter_has_its_name_from_the_startup_program_on(rebound):
    session, _ = rebound
    session.position = 0
    made = session.made("w")
    assert made is not None
    assert made.id in session.event.outputs


def test_what_gradients_gave_is_known_by_the_variable_that_holds_it(eager_afterwards):
    """The prompt has a g of its own, the gradient that comes in: that was shown for the script's."""
    with static.program_guard(static.Program()):
        x = static.data("x", [2], "float32")
        x.stop_gradient = False
        w = x * 3
        g, h = static.gradients((w * w).sum(), [x, w])
        (p,) = static.gradients((g * g).sum(), [x])
        recorder = Recorder()
        with watching(recorder):
            made = static.Executor().run(feed={"x": np.ones([2], "float32")}, fetch_list=[g, h, p])
    session = Session(recorder.finish())
    session.position = len(session.stops) - 1
    assert [session.find(name).array.tolist() for name in "ghp"] == [one.tolist() for one in made]


def _built():
    """Build within a function, with `y` bound anew by helpers, and equal numbers everywhere."""
    fed = static.data("image", [2], "float32")
    w = static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(2.0))
    y = fed * 1
    y = twice(y)
    left, right = paddle.split(y * w, 2)
    loss = (left + right).sum()
    held = {name: one for name, one in locals().items() if isinstance(one, static.Variable)}
    return static.default_main_program(), held


def test_the_locals_of_a_function_that_built_a_program_and_returned_are_known(eager_afterwards):
    """Only results of single operators were; y was said to be what it was before the helper."""
    recorder = Recorder()
    with static.program_guard(static.Program(), static.Program()), watching(recorder):
        main, held = _built()
        exe = static.Executor()
        exe.run(static.default_startup_program())
        made = exe.run(main, feed={"image": np.ones([2], "float32")}, fetch_list=list(held.values()))
    session = Session(recorder.finish())
    session.position = len(session.stops) - 1
    found = {name: session.find(name).array.tolist() for name in held}
    assert found == {name: array.tolist() for name, array in zip(held, made)}
    split = next(event for event in session.trace.events if len(event.outputs) == 2)
    assert [session.find("left").id, session.find("right").id] == split.outputs
