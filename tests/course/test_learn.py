"""`minipaddle learn`: the first unsolved task, hints, list, reset; solved tasks are kept."""

import json
import re

import pytest

from minipaddle.tools.course.learner import Learner
from minipaddle.tools.course.lessons import tasks
from tests.support.answers import solution, text_of
from tests.support.terminal import Terminal

OF_LESSON_3 = [task for task in tasks() if task.lesson == 3]


def solve(task, folder, answer="solution"):
    file = folder / task.place
    file.parent.mkdir(exist_ok=True)
    file.write_text(text_of(f"{task.lesson:02}/{task.stem}", answer), encoding="utf-8")


@pytest.fixture
def learner(tmp_path):
    return Learner(OF_LESSON_3, tmp_path, 1)


# -- one who learns ----------------------------------------------------------------------------------------------------


def test_it_begins_with_the_first_task_that_is_not_solved(learner, tmp_path):
    first, second = OF_LESSON_3
    assert learner.task is first
    solve(first, tmp_path)
    assert learner.look().is_full
    assert learner.go_on()
    assert learner.task is second
    assert Learner(OF_LESSON_3, tmp_path, 2).task is second, "it is kept in the folder"
    solve(second, tmp_path)
    learner.look()
    assert (learner.is_done, learner.go_on()) == (True, False)


def test_a_skeleton_is_written_once_and_never_over_what_is_there(learner, tmp_path):
    assert learner.begin()
    assert learner.file.read_text(encoding="utf-8") == OF_LESSON_3[0].original
    assert not learner.was_saved(), "there is nothing to look at yet"
    learner.file.write_text("mine", encoding="utf-8")
    assert not learner.begin()
    assert learner.file.read_text(encoding="utf-8") == "mine"
    assert learner.was_saved()
    learner.look()
    assert not learner.was_saved()


def test_three_hints_each_saying_more(learner):
    said = [learner.hint() for _ in range(4)]
    assert [line.partition(":")[0] for line in said] == [f"hint {number} of 3" for number in (1, 2, 3, 3)]
    assert len({*said}) == 3
    learner.skip()
    assert learner.hint().startswith("hint 1 of 3: Hold `v` still")


def test_next_goes_round_the_tasks_that_are_not_solved(learner, tmp_path):
    first, second = OF_LESSON_3
    learner.skip()
    assert learner.task is second
    learner.skip()
    assert learner.task is first
    solve(first, tmp_path)
    learner.look()
    learner.skip()
    learner.skip()
    assert learner.task is second


def test_reset_keeps_what_there_was_beside(learner, tmp_path):
    solve(OF_LESSON_3[0], tmp_path)
    learner.look()
    kept = learner.reset()
    assert kept.read_text(encoding="utf-8") == solution("03/task1_cube")
    assert learner.file.read_text(encoding="utf-8") == OF_LESSON_3[0].original
    assert learner.progress.points == {}


def test_the_best_points_are_kept(learner, tmp_path):
    solve(OF_LESSON_3[0], tmp_path, "ignores_dy")
    learner.hint()
    assert learner.look().points == 59
    solve(OF_LESSON_3[0], tmp_path, "factor")
    assert learner.look().points == 30
    assert json.loads((tmp_path / "progress.json").read_text()) == {
        "points": {"task1_cube.py": 59},
        "hints": {"task1_cube.py": 1},
    }


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"points": 3}', '{"points": {"task1_cube.py": "x"}}', "\x00"]
)
def test_a_damaged_progress_file_is_none(tmp_path, text):
    (tmp_path / "progress.json").write_text(text, encoding="utf-8")
    assert Learner(OF_LESSON_3, tmp_path, 1).task is OF_LESSON_3[0]


# -- the command -------------------------------------------------------------------------------------------------------


def test_what_is_typed_is_answered(run_cli, tmp_path):
    done = run_cli("learn", "3", input="hint\nlist\nnext\nwhat\nreset\nquit\nhint\n", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 of 2 tasks solved; lesson 3, task 1: A cube with a gradient of your own" in done.stdout
    assert done.stdout.count("hint 1 of 3") == 1
    assert re.search(r"^>  03/task1_cube.py +A cube .* 0 *$", done.stdout, re.MULTILINE)
    assert "lesson 3, task 2: Two inputs, two gradients" in done.stdout
    assert "type: hint, list, reset, next, quit\n" in done.stdout
    assert "what you had is kept in 03/task2_energy.py.old" in done.stdout


def test_words_may_be_typed_in_chinese(run_cli, tmp_path):
    done = run_cli("--lang", "zh", "learn", "3", input="提示\n列表\n什么\n重置\n退出\n提示\n", cwd=tmp_path)
    assert done.stdout.count("提示 1/3") == 1
    assert done.stdout.count("请输入：提示、列表") == 1
    assert "# 返回 x 的梯度" in (tmp_path / "03" / "task1_cube.py").read_text(encoding="utf-8")


def test_it_goes_through_all_and_says_so(run_cli, tmp_path):
    for task in OF_LESSON_3:
        solve(task, tmp_path)
    assert run_cli("learn", "3", input="\n\n", cwd=tmp_path).stdout.count("100/100  solved") == 2
    done = run_cli("learn", "py_layer", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "every task is solved"


def test_the_last_task_of_lesson_21_leads_to_the_milestones(run_cli, tmp_path):
    of_21 = [task for task in tasks() if task.lesson == 21]
    for task in of_21:
        solve(task, tmp_path)
    done = run_cli("learn", "21", input="\n" * 8, cwd=tmp_path)
    assert done.stdout.count(" runs on what you built: ") == 4
    assert len([*(tmp_path / "21").glob("milestone_*.py")]) == 4


def test_it_looks_again_when_the_file_is_saved(tmp_path):
    terminal = Terminal("3", tmp_path, "learn")
    terminal.until("type: hint")
    solve(OF_LESSON_3[0], tmp_path, "factor")
    terminal.until("30/100")
    solve(OF_LESSON_3[0], tmp_path)
    terminal.until("solved")
    terminal.until("Two inputs, two gradients")
    terminal.type("quit\n")
    assert terminal.process.wait(60) == 0


def test_control_c_ends_it(tmp_path):
    terminal = Terminal("3", tmp_path, "learn")
    terminal.until("type: hint")
    terminal.type("\x03")
    assert terminal.process.wait(60) == 130
    assert "Traceback" not in terminal.seen


def test_a_screen_of_80_columns_is_enough(tmp_path):
    terminal = Terminal("3", tmp_path, "learn")
    seen = terminal.until("type: hint")
    assert max(map(len, seen.replace("\r", "").split("\n"))) <= 80
    terminal.type("quit\n")
    terminal.process.wait(60)
