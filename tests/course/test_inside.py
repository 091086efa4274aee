"""A student's code run in this process: the points and hints are the same as in a separate process."""

import sys
from contextvars import copy_context

import pytest

from minipaddle.tools.course import grading, tasks
from minipaddle.tools.course.grading import grade
from tests.support.answers import solution, wrong_answers

TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}
ALONE = [name for name in TASKS if name[:2] in ("01", "02", "03")]
WRONG = [answer for name in ALONE for answer in wrong_answers(name)]


@pytest.fixture
def inside(monkeypatch, tmp_path):
    """`inside(name, text)` grades an answer to a task as in a browser."""
    monkeypatch.setattr(grading, "HAS_PROCESSES", False)
    monkeypatch.setattr("subprocess.Popen", None)

    def run(name, text):
        file = tmp_path / TASKS[name].name
        file.write_text(text, encoding="utf-8")
        return copy_context().run(grade, TASKS[name], file, 14)

    return run


@pytest.mark.parametrize("name", ALONE)
def test_a_solution_gets_what_it_gets_in_a_process_of_its_own(name, inside):
    done = inside(name, solution(name))
    assert (done.points, done.hint) == (100, "")


@pytest.mark.parametrize("answer", WRONG, ids=lambda answer: f"{answer.task}/{answer.name}")
def test_a_wrong_answer_gets_what_it_gets_in_a_process_of_its_own(answer, inside):
    done = inside(answer.task, answer.text)
    assert answer.hint in [one.hint for one in done.outcomes]
    assert done.points < 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys\nsys.exit()", "it ends the program"),
        ("1 / 0", "ZeroDivisionError: division by zero (task1_cube.py, line 1)"),
        ("def (", "SyntaxError: invalid syntax (task1_cube.py, line 1)"),
        ("x = 1", "has no attribute 'Cube'"),
    ],
)
def test_what_cannot_be_asked_has_no_points_and_a_line(text, said, inside, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "mine").mkdir()
    file = tmp_path / "mine" / "task1_cube.py"
    file.write_text(text, encoding="utf-8")
    done = grade(TASKS["03/task1_cube"], file, 14)
    assert done.points == 0
    assert said in done.hint


def test_what_a_question_writes_into_its_inputs_is_not_seen_by_the_judge(inside, tmp_path):
    file = tmp_path / "task1_cube.py"
    file.write_text(
        "import numpy as np, paddle\nclass Cube:\n    @staticmethod\n    def apply(x):\n"
        "        x.numpy()[...] = 0\n        return x * 0\n",
        encoding="utf-8",
    )
    assert grade(TASKS["03/task1_cube"], file, 14).points == 0


def test_a_browser_has_no_processes_to_import(run_python):
    code = "import sys\nsys.modules['_multiprocessing'] = None\nimport minipaddle.tools.course.grading\nprint('here')"
    assert run_python("-c", code).stdout == "here\n"
