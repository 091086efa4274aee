"""Files of a class run side by side; their graders take turns, and none waits for another student's file."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from minipaddle.tools.course.classes import grade_all, students_in
from minipaddle.tools.course.grading import grade, grader_of
from minipaddle.tools.course.lessons import tasks
from minipaddle.tools.course.process import Limits

SKELETON = "# %% [markdown]\n# # Own\n#\n# Anything.\n\n# %%\n...\n"
GRADER = """
import threading
import time
from minipaddle.tools.course.claims import claim
HINTS = ("a", "b", "c")
inside = threading.Semaphore()
others = threading.Event()
asked = threading.Event()

def number(student):
    import os
    return os.getpid()

def answer(student):
    return student.answer()

@claim(40, "nobody else is in here")
def alone(ask, draw):
    if not inside.acquire(blocking=False):
        others.set()
    met = others.wait(0.3)
    inside.release()
    return "Somebody else is in here." if met else None

@claim(60, "it answers")
def answers(ask, draw):
    process = ask(number)
    running.append(process)
    asked.set()
    return None if ask(answer) == 1 else "It does not answer 1."

running = []
"""


@pytest.fixture
def own(tmp_path):
    """A teacher's own task, and the names in its grader."""
    folder = tmp_path / "own" / "01"
    folder.mkdir(parents=True)
    (folder / "task1_own.py").write_text(SKELETON, encoding="utf-8")
    (folder / "task1_own.check.py").write_text(GRADER, encoding="utf-8")
    (task,) = tasks(tmp_path / "own")
    return task


def hand_in(folder, text):
    folder.mkdir(parents=True)
    file = folder / "task1_own.py"
    file.write_text(text, encoding="utf-8")
    return file


def test_one_judge_at_a_time(own, tmp_path):
    """A grader may use a resource that exists once: a global, the default Program, a seed."""
    for number in range(4):
        hand_in(tmp_path / "class" / str(number), "def answer(): return 1\n")
    found = list(grade_all(students_in(tmp_path / "class", [own]), 1, at_once=4))
    assert [(one.points, one.hint) for (one,) in found] == [(100, "")] * 4


def test_while_one_waits_for_an_answer_another_judges(own, tmp_path):
    slow = hand_in(tmp_path / "slow", "def answer():\n    while True: pass\n")
    quick = hand_in(tmp_path / "quick", "def answer(): return 1\n")
    known = grader_of(own).claims[0].judge.__globals__
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(grade, own, slow, 1, Limits(seconds=600))
        assert known["asked"].wait(60)
        (process,) = known["running"]
        try:
            assert pool.submit(grade, own, quick, 1).result(60).points == 100
            assert not waiting.done()
        finally:
            os.kill(process, signal.SIGKILL)
        assert waiting.result(60).points == 0
