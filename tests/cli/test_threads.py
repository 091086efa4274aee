"""Threads that a script starts are named, whether they have ended or still wait; other threads are not."""

import threading

import pytest

from minipaddle.tools.cli.record import threads_and_warnings


def run(name, function=lambda: None):
    thread = threading.Thread(target=function, name=name, daemon=True)
    thread.start()
    return thread


def test_the_quick_and_the_waiting_are_named_and_no_other():
    end = threading.Event()
    earlier = run("earlier", end.wait)
    with threads_and_warnings() as (names, _):
        run("quick").join()
        waiting = run("waiting", end.wait)
    end.set()
    for thread in (earlier, waiting, run("later")):
        thread.join()
    assert sorted(set(names)) == ["quick", "waiting"]


def test_threads_start_as_before_once_it_is_over_however_that_was():
    before = threading.Thread.start
    with pytest.raises(ZeroDivisionError), threads_and_warnings():
        raise ZeroDivisionError
    assert threading.Thread.start is before
