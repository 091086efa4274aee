"""In a Program the script's variables are other names for what was bound to them, and for nothing else."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.core.watching import watching
from minipaddle.debug.prompt import Prompt
from minipaddle.debug.session import Session
from minipaddle.trace import Recorder
from minipaddle.trace.file import load, save
from minipaddle.viz.model.labels import label
from minipaddle.viz.model.mirror import mirror
from minipaddle.words.symbols import ASCII

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
    recorder = Recorder()
    with watching(recorder):
        exe.run(main, feed={"x": np.ones([2, 3], "float32")}, fetch_list=[loss])
    return recorder.finish()


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


def test_a_picture_says_it_before_paddles_name(trace):
    node = next(node for node in mirror(trace).nodes.values() if node.variable == "loss")
    assert label(node)[1].startswith(f"loss = {node.results[0].name} []")


def test_a_recording_keeps_them(trace, tmp_path):
    save(trace, tmp_path / "run.mpt")
    assert load(tmp_path / "run.mpt").bound == trace.bound != {}
