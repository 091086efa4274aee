"""The tasks of the course: their form, and that each answer of tests/tutorials/answers gets what it is to get."""

import re
import tomllib
from contextvars import copy_context

import numpy as np
import pytest

from minipaddle.tools.course import tasks
from minipaddle.tools.course.grading import grade, grader_of
from minipaddle.tools.course.process import StudentProcess
from minipaddle.tools.words.language import speak
from tests.support.answers import ANSWERS, right_answers, solution, text_of, write_solutions, wrong_answers

TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}
WRONG = [answer for name in TASKS for answer in wrong_answers(name)]
SEED = 14


@pytest.fixture
def graded(tmp_path):
    """`graded(name, text)` grades a text as the file of a task."""

    def run(name, text):
        write_solutions(name.partition("/")[0], tmp_path)
        file = tmp_path / TASKS[name].name
        file.write_text(text, encoding="utf-8")
        return grade(TASKS[name], file, SEED)

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
    done = graded(name, solution(name))
    assert (done.points, done.hint) == (100, "")


@pytest.mark.parametrize("name", TASKS)
def test_other_right_answers_have_all_points(name, graded):
    done = {other: graded(name, text) for other, text in right_answers(name).items()}
    assert {other: (one.points, one.hint) for other, one in done.items()} == dict.fromkeys(done, (100, ""))
    assert len(done) >= 3


class OneSided(np.random.Generator):
    """Draws as by bad luck: what may have either sign has one."""

    sign = 1

    def normal(self, *arguments, **options):
        return self.sign * abs(super().normal(*arguments, **options))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", TASKS)
def test_a_right_answer_is_right_whatever_is_drawn(name, sign, tmp_path):
    """Also where a mistake would show in numbers of the other sign only."""
    task = TASKS[name]
    write_solutions(name.partition("/")[0], tmp_path)
    draw = OneSided(np.random.PCG64(SEED))
    draw.sign = sign
    with StudentProcess(tmp_path / task.name, solution(name), grader_of(task).questions) as student:
        said = [copy_context().run(one.judge, student, draw) for one in grader_of(task).claims]
    assert set(said) == {None}


@pytest.mark.parametrize("answer", WRONG, ids=lambda answer: f"{answer.task}/{answer.name}")
def test_a_wrong_answer_gets_its_hint(answer, graded):
    done = graded(answer.task, answer.text)
    assert done.points < 60
    assert done.hint == answer.hint


@pytest.fixture
def chinese():
    speak("zh")
    yield
    speak("en")


@pytest.mark.usefixtures("chinese")
def test_in_chinese_the_same_is_judged(graded, tmp_path):
    name = "03/task1_cube"
    task = TASKS[name]
    done = graded(name, solution(name))
    assert (done.points, done.hint) == (100, "")
    wrong = graded(name, text_of(name, "ignores_dy"))
    assert (wrong.points, wrong.hint) == (59, "`backward` 没有用 `dy`：链式法则要把斜率与它相乘。")
    assert next(one.says for one in wrong.outcomes) == "forward 给出立方"
    file = tmp_path / task.name
    file.write_text(task.text, encoding="utf-8")
    assert task.text != task.original
    assert (task.title, grade(task, file, SEED).why) == ("自己写立方的梯度", "里面还什么都没有写")


@pytest.mark.parametrize("name", TASKS)
def test_six_wrong_answers_have_a_hint_each(name):
    wrong = wrong_answers(name)
    assert len(wrong) >= 6
    assert "hard_coded" in [answer.name for answer in wrong]
    assert len({answer.hint for answer in wrong}) == len(wrong)


def test_every_answer_is_of_a_task():
    assert {path.relative_to(ANSWERS).as_posix() for path in ANSWERS.glob("*/*")} == set(TASKS)


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
    solutions = {path.read_bytes() for path in ANSWERS.rglob("*.*")}
    assert solutions
    assert [path for path in packed if path.read_bytes() in solutions] == []


def test_a_question_may_be_asked_twice(tmp_path):
    task = TASKS["03/task1_cube"]
    file = tmp_path / task.name
    text = solution("03/task1_cube")
    with StudentProcess(file, text, "def twice(student, x):\n    return 2 * x") as student:

        def twice(student, x): ...

        assert [student(twice, 4), student(twice, 5)] == [8, 10]
