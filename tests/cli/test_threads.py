"""Threads that a script starts are named, whether they have ended or still wait; other threads are not."""

import sys
import threading

from minipaddle.tools.cli.record import threads_named


def run(name, function=lambda: None):
    thread = threading.Thread(target=function, name=name, daemon=True)
    thread.start()
    return thread


def test_the_quick_and_the_waiting_are_named_and_no_other():
    end = threading.Event()
    earlier = run("earlier", end.wait)
    with threads_named() as names:
        run("quick").join()
        waiting = run("waiting", end.wait)
    end.set()
    for thread in (earlier, waiting, run("later")):
        thread.join()
    assert sorted(set(names)) == ["quick", "waiting"]


def test_a_profile_function_for_threads_is_left_as_it_was():
    seen = []

    def mine(frame, event, arg):
        seen.append(sys.getprofile())

    threading.setprofile(mine)
    try:
        with threads_named():
            run("one").join()
        assert threading.getprofile() is mine
    finally:
        threading.setprofile(None)
    assert seen
    assert set(seen) == {mine}
