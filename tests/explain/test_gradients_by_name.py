"""`why NAME` of gradients: retained ones, results of hooks, and gradients that an error prevented."""

from pathlib import Path

import pytest

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import event_object, headline, why_name
from minipaddle.tools.record import Recorder
from tests.support.recordings import leaf, recorded


def test_a_retained_gradient_is_known_by_its_name():
    """It said that there was no h.grad, and called it v11 where it was used."""

    def script():
        x = leaf(1.0, 1.0)
        h = x * 2
        h.retain_grads()
        (h * h).sum().backward()
        k = h.grad * 3
        return x, k

    session = Session(recorded(script))
    assert session.made("h.grad") is None, "at the first event there is none yet"
    assert why_name(session, "h.grad").says[0].startswith("h@GRAD was made by accumulate (")
    used = session.goto("k")
    assert [value.name for value in session.trace.known(used.inputs)] == ["h.grad"]
    assert session.made("h.grad").array.tolist() == [4, 4]
    assert session.made("h.grad").holder != session.made("h@GRAD").holder


def test_a_hook_is_named_by_the_line_that_made_the_new_gradient():
    """Not by the line of a pass that it ran before."""

    def doubled(gradient):
        other = leaf(1.0, 1.0)
        (other * other).sum().backward()
        return gradient * other.grad  # here

    def script():
        x = leaf(1.0, 1.0)
        h = x * 2
        h.register_hook(doubled)
        h.sum().backward()
        return x, h

    session = Session(recorded(script))
    (said,) = [line for line in why_name(session, "x.grad").says if "replaced" in line]
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    number = next(at for at, line in enumerate(lines, 1) if line.endswith("  # here"))
    assert f"(test_gradients_by_name.py:{number})" in said


def test_a_pass_that_an_error_broke_off_is_why_no_gradient_came():
    """No operator was said to have used x."""

    def refused(gradient):
        raise ValueError("no")

    def script():
        x = leaf(1.0, 1.0)
        h = x * 2
        h.register_hook(refused)
        h.sum().backward()
        return x, h

    recorder = Recorder(__file__)
    with pytest.raises(Exception, match="no") as raised, watching(recorder):
        script()
    recorder.failed(raised.value)
    session = Session(recorder.finish())
    (said,) = why_name(session, "x").says
    assert said.startswith(
        "x gets no gradient: an error broke this backward pass off before that was stored ("
    )
    session.goto(str(len(session.stops) - 1))
    assert "forward" not in headline(session, session.position), "it was raised in the backward pass"
    assert event_object(session)["phase"] is None
