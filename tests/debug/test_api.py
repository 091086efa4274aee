"""The debugger from Python: `record()` and `step()` around a few lines, and the tape of earlier lines."""

import re
import subprocess
import sys

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import NoMove, breakpoint, pm, record, step
from minipaddle.tools.record import Recorder, load


def parts():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
    return x, w


def test_backward_alone_has_its_forward(capsys):
    x, w = parts()
    h = x * w
    loss = paddle.tanh(h).sum()
    with step(["goto x@GRAD", "why", "check"]) as run:
        loss.backward()
    said = capsys.readouterr().out
    assert "rule     x@GRAD = h@GRAD * w" in said
    assert "multiply_grad  x  ok" in said
    assert [event.kind for event in run.trace.events if event.kind == "op"] == ["op"] * 3
    (stored,) = [
        run.trace.values[event.outputs[0]]
        for event in run.trace.events
        if event.kind == "store" and (event.into, event.about) == ("grad", 0)
    ]
    np.testing.assert_array_equal(x.grad.numpy(), stored.array)


def test_a_recording_in_python(tmp_path):
    x, w = parts()
    with record() as run:
        loss = (x * w).sum()
        loss.backward()
    run.save(tmp_path / "run.mpt")
    assert len(load(tmp_path / "run.mpt").events) == len(run.trace.events)
    assert "<html" in run.graph().html()


def test_a_block_that_raises_is_recorded_up_to_there():
    x, w = parts()
    try:
        with record() as run:
            x * w
            raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    assert [event.title for event in run.trace.events] == ["multiply"]


def test_the_prompt_opens_after_the_block(monkeypatch, capsys):
    x, w = parts()
    typed = iter(["step", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    with step():
        (x * w).sum().backward()
    assert "1/" in capsys.readouterr().out


SHARED = paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def test_variables_of_the_module_have_their_names_in_a_function():
    y = (SHARED * 2).sum()
    with record() as run:
        y.backward()
    assert next(value.name for value in run.trace.values) == "SHARED"


def test_a_recording_around_loses_nothing(capsys):
    """Such as the recording of `minipaddle step` on a script that uses this module itself."""

    def script(block):
        x, w = parts()
        h = x * w
        with block():
            h.sum().backward()
        return x + h

    def of(block):
        recorder = Recorder(__file__)
        with watching(recorder):
            script(block)
        return [(event.kind, event.title) for event in recorder.finish().events]

    assert of(record) == of(lambda: step(["step"])) == of(lambda: watching(Recorder("inner")))
    assert of(record).count(("store", "x")) == 1
    assert ("op", "add") in of(record)


LIVING = """
from minipaddle import paddle
import minipaddle.tools.debug as gd
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
h = x * 3
for i in range(2):
    print("turn", i)
    loss = (h * h).sum()
    gd.breakpoint(["jac", "list 99", "locals"])
    loss.backward(retain_graph=True)
def wrong(a):
    b = a * 5
    return b + paddle.ones([3])
wrong(x)
"""


def test_a_running_script_is_looked_at_and_goes_on(tmp_path):
    script = tmp_path / "living.py"
    script.write_text(LIVING)
    command = [sys.executable, "-i", str(script)]
    ran = subprocess.run(command, input="gd.pm(['p b'])\n", capture_output=True, text=True, timeout=60)
    first, second = ran.stdout.split("turn 1")
    assert "x.grad" not in first
    assert "scale    forward" in first  # h = x * 3, from the tape
    assert first.count("multiply    forward") == 1
    assert "x.grad" in second
    assert second.count("multiply    forward") == 2  # what `jac` computed is not recorded
    assert re.search("^i +1$", second, re.MULTILINE)  # lines are followed from the first call on
    assert "raised ValueError" in second
    assert "[ 5. 10.]" in second


def test_an_error_is_looked_at_without_a_recording(capsys):
    x, w = parts()
    with pytest.raises(NoMove, match="no error"):
        pm([])

    def wrong(a):
        b = a * w
        return b + paddle.ones([3])

    try:
        wrong(x)
    except ValueError:
        pm(["p b", "back"])
    said = capsys.readouterr().out
    assert "raised ValueError" in said
    assert "b  [2]" in said


def test_a_recorded_block_is_what_a_breakpoint_shows(capsys):
    x, w = parts()
    with record() as run:
        x * w
        breakpoint(["list"])
        x + w
    assert capsys.readouterr().out.count("multiply    forward") == 2  # the card, and the list
    assert [event.title for event in run.trace.events] == ["multiply", "add"]
