"""A student's code asked in this very process: the points and hints are those of a process of its own."""

import shutil
import sys
from contextvars import copy_context
from pathlib import Path

import pytest

from minipaddle.tools.course import grade, grading, tasks
from tests.support.process import ROOT

ANSWERS = ROOT / "tests" / "tutorials" / "answers"
TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}
ALONE = sorted(answer for answer in ANSWERS.glob("0[1-3]/*/*.py"))


@pytest.fixture
def inside(monkeypatch, tmp_path):
    """`inside(answer)` grades an answer as in a browser."""
    monkeypatch.setattr(grading, "HAS_PROCESSES", False)
    monkeypatch.setattr("subprocess.Popen", None)

    def run(answer: Path):
        task = TASKS["/".join(answer.relative_to(ANSWERS).parts[:2])]
        file = Path(shutil.copy(answer, tmp_path / task.name))
        return copy_context().run(grade, task, file, 14)

    return run


@pytest.mark.parametrize("answer", ALONE, ids=lambda path: "/".join(path.parts[-3:]))
def test_an_answer_gets_what_it_gets_in_a_process_of_its_own(answer, inside):
    done = inside(answer)
    if answer.name == "solution.py":
        assert (done.points, done.hint) == (100, "")
    else:
        hint = answer.read_text(encoding="utf-8").splitlines()[0].removeprefix("# hint: ")
        assert hint in [one.hint for one in done.outcomes]
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
