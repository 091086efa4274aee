"""The tasks of the course: their form, and that each answer of tests/tutorials/answers gets what it is to get."""

import re
import shutil
import tomllib
from contextvars import copy_context
from pathlib import Path

import numpy as np
import pytest

from minipaddle.tools.course import grade, tasks
from minipaddle.tools.course.grading import grader_of
from minipaddle.tools.course.process import StudentProcess
from minipaddle.tools.words.language import speak

ANSWERS = Path(__file__).with_name("answers")
TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}
WRONG = sorted(ANSWERS.glob("*/*/wrong_*.py"))
SEED = 14


def answer_id(path):
    return "/".join(path.relative_to(ANSWERS).with_suffix("").parts)


@pytest.fixture
def graded(tmp_path):
    """Grade an answer as the file of its task."""

    def run(answer):
        task = TASKS["/".join(answer.relative_to(ANSWERS).parts[:2])]
        for solution in answer.parents[1].glob("*/solution.py"):  # a task may build on an earlier one
            shutil.copy(solution, tmp_path / f"{solution.parent.name}.py")
        return grade(task, Path(shutil.copy(answer, tmp_path / task.name)), SEED)

    return run


@pytest.mark.parametrize("name", TASKS)
def test_an_untouched_skeleton_has_no_points(name, tmp_path):
    task = TASKS[name]
    file = tmp_path / task.name
    file.write_text(task.original, encoding="utf-8")
    assert grade(task, file, SEED).points == 0


@pytest.mark.parametrize("name", TASKS)
def test_no_claim_holds_for_the_skeleton_if_it_is_asked(name, tmp_path):
    """Also if a comment, or a line that does nothing, was added to it."""
    task = TASKS[name]
    file = tmp_path / task.name
    file.write_text(task.original + "\nmine = 1\n", encoding="utf-8")
    done = grade(task, file, SEED)
    assert [one.claim.says for one in done.outcomes if not one.hint] == []


@pytest.mark.parametrize("name", TASKS)
def test_the_solution_has_all_points(name, graded):
    done = graded(ANSWERS / name / "solution.py")
    assert (done.points, done.hint) == (100, "")


class OneSided(np.random.Generator):
    """Draws as by bad luck: what may have either sign has one."""

    sign = 1

    def normal(self, *arguments, **options):
        return self.sign * abs(super().normal(*arguments, **options))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", TASKS)
def test_a_right_answer_is_right_whatever_is_drawn(name, sign, tmp_path):
    """Also where a mistake would show in numbers of the other sign only."""
    task, lesson = TASKS[name], ANSWERS / name.partition("/")[0]
    for solution in lesson.glob("*/solution.py"):  # a task may build on an earlier one
        shutil.copy(solution, tmp_path / f"{solution.parent.name}.py")
    text = (tmp_path / task.name).read_text(encoding="utf-8")
    draw = OneSided(np.random.PCG64(SEED))
    draw.sign = sign
    with StudentProcess(tmp_path / task.name, text, grader_of(task).questions) as student:
        said = [copy_context().run(one.judge, student, draw) for one in grader_of(task).claims]
    assert set(said) == {None}


@pytest.mark.parametrize("answer", WRONG, ids=answer_id)
def test_a_wrong_answer_gets_its_hint(answer, graded):
    done = graded(answer)
    assert done.points < 100
    assert done.hint == hint_for(answer)


def hint_for(answer):
    return re.match(r"# hint: (.+)\n", answer.read_text(encoding="utf-8"))[1]


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


@pytest.mark.usefixtures("chinese")
def test_in_chinese_the_same_is_judged(graded, tmp_path):
    task, answers = TASKS["03/task1_cube"], ANSWERS / "03/task1_cube"
    done = graded(answers / "solution.py")
    assert (done.points, done.hint) == (100, "")
    wrong = graded(answers / "wrong_ignores_dy.py")
    assert (wrong.points, wrong.hint) == (60, "`backward` 没有用 `dy`：链式法则要把斜率与它相乘。")
    assert next(one.says for one in wrong.outcomes) == "forward 给出立方"
    file = tmp_path / task.name
    file.write_text(task.text, encoding="utf-8")
    assert task.text != task.original
    assert (task.title, grade(task, file, SEED).why) == ("自己写立方的梯度", "里面还什么都没有写")


@pytest.mark.parametrize("name", TASKS)
def test_five_wrong_answers_have_a_hint_each(name):
    wrong = sorted((ANSWERS / name).glob("wrong_*.py"))
    assert len(wrong) >= 5
    assert "wrong_hard_coded.py" in [answer.name for answer in wrong]
    hints = [hint_for(answer) for answer in wrong]
    assert len(set(hints)) == len(hints)


def test_every_answer_is_of_a_task():
    assert {"/".join(path.relative_to(ANSWERS).parts[:2]) for path in ANSWERS.glob("*/*/*.py")} == set(TASKS)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_says_what_is_to_be_done(name):
    task = TASKS[name]
    assert task.original.startswith("# %% [markdown]\n# # ")
    assert len(task.statement) > 100
    assert re.search(r"^ *\.\.\.$", task.original, re.MULTILINE)
    assert all(hint.endswith((".", "?")) for hint in grader_of(task).hints)


@pytest.mark.parametrize("name", TASKS)
def test_nothing_of_a_claim_goes_to_the_student(name):
    """The student's process gets the questions, and no judgement."""
    sent = grader_of(TASKS[name]).questions
    assert "def " in sent
    assert not re.search(r"\bclaim\b|\bHINTS\b|\bdraw\b", sent)


def test_the_answers_are_not_in_the_wheel():
    """The list of its files, as pyproject.toml tells it to Hatchling; graders and translations are there."""
    root = ANSWERS.parents[2]
    told = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    folders = told["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    packed = [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
    names = {path.relative_to(root).as_posix() for path in packed}
    assert {"tutorials/tasks/03/task1_cube.check.py", "tutorials/tasks/locale/zh_CN/task1_cube.po"} <= names
    solutions = {path.read_bytes() for path in ANSWERS.rglob("*.py")}
    assert solutions
    assert [path for path in packed if path.read_bytes() in solutions] == []


def test_a_question_may_be_asked_twice(tmp_path):
    task = TASKS["03/task1_cube"]
    file = tmp_path / task.name
    shutil.copy(ANSWERS / "03/task1_cube/solution.py", file)
    text = file.read_text(encoding="utf-8")
    with StudentProcess(file, text, "def twice(student, x):\n    return 2 * x") as student:

        def twice(student, x): ...

        assert [student(twice, 4), student(twice, 5)] == [8, 10]
