"""Tracebacks show the user's own lines."""

import traceback
from types import TracebackType

import pytest

import minipaddle
from minipaddle.engine.names.missing import near
from minipaddle.tools.run.tracebacks import keep_user_frames


def user_function():
    near(None, [])  # fails inside minipaddle


def files_of(error):
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def test_frames_of_minipaddle_are_taken_out():
    with pytest.raises(AttributeError) as caught:
        user_function()
    assert len(set(files_of(caught.value))) == 2
    keep_user_frames(caught.value)
    assert set(files_of(caught.value)) == {__file__}
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "user_function"


def test_a_frame_that_python_noted_twice_is_shown_once():
    """As Python 3.11.2 does where a function that traces lines raises."""
    with pytest.raises(AttributeError) as caught:
        user_function()
    first = caught.value.__traceback__
    caught.value.__traceback__ = TracebackType(first, first.tb_frame, first.tb_lasti, first.tb_lineno)
    keep_user_frames(caught.value)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names == ["test_a_frame_that_python_noted_twice_is_shown_once", "user_function"]


def test_a_function_that_was_made_of_text_is_minipaddles_own():
    with pytest.raises(ValueError, match="matmul") as caught:
        minipaddle.paddle.matmul(minipaddle.paddle.ones([1, 2]), minipaddle.paddle.ones([1, 2]))
    keep_user_frames(caught.value)
    assert set(files_of(caught.value)) == {__file__}


def test_also_out_of_the_errors_it_is_chained_to():
    with pytest.raises(AttributeError) as caught:
        user_function()
    group = ExceptionGroup("two", [ValueError("one"), caught.value])
    error = RuntimeError("three")
    error.__cause__ = group
    keep_user_frames(error)
    assert set(files_of(caught.value)) == {__file__}


def test_an_inner_error_that_no_user_line_took_part_in_is_not_shown():
    error, inner = ValueError("bad axis"), KeyError("x")
    error.__context__ = inner
    keep_user_frames(error)
    assert error.__context__ is None


def test_every_frame_on_request(monkeypatch):
    monkeypatch.setenv("MINIPADDLE_TRACEBACK", "full")
    with pytest.raises(AttributeError) as caught:
        user_function()
    keep_user_frames(caught.value)
    assert any(file.endswith("missing.py") for file in files_of(caught.value))
