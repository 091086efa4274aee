"""The debugger from Python: `record()` and `step()` around a few lines, and the tape of earlier lines."""

import numpy as np

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import record, step
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
