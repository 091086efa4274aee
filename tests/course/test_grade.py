"""`minipaddle grade`: a file, a folder, a class; lines, JSON and CSV; tasks of a teacher's own."""

import csv
import io
import json
import re
import shutil

import pytest

from minipaddle.tools.course.claims import BadGrader, close, read_grader
from tests.support.answers import text_of
from tests.support.translations import sentences_of


def hand_in(folder, answer, task="03/task1_cube", text=None):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{task.partition('/')[2]}.py"
    file.write_text(text_of(task, answer) if text is None else text, encoding="utf-8")
    return file


def test_a_file(run_cli, tmp_path):
    done = run_cli("grade", hand_in(tmp_path, "ignores_dy"), "--seed", "1")
    assert done.returncode == 3
    assert done.stdout.splitlines() == [
        " 60/100  03/task1_cube.py  A cube with a gradient of your own",
        "   30/30   forward gives the cube",
        "   30/30   backward gives the slope, 3 * x * x",
        "    0/25   backward multiplies by dy: `backward` ignores `dy`: the chain rule multiplies the slope by it.",
        "    0/15   each call has a context of its own: Two calls one after the other do not get a gradient each.",
    ]
    assert done.stderr == ""


def test_the_seed_is_told_and_draws_the_same_again(run_cli, tmp_path):
    """Of a wrong answer whose hint has drawn numbers in it."""
    file = hand_in(tmp_path, "factor")
    first = run_cli("grade", file)
    told = r"minipaddle: the inputs were drawn: --seed (\d+) draws them again\n"
    seed = re.fullmatch(told, first.stderr)[1]
    assert "was computed" in first.stdout
    assert run_cli("grade", file, "--seed", seed).stdout == first.stdout
    assert run_cli("grade", file, "--seed", str(int(seed) + 1)).stdout != first.stdout


def test_all_points_end_with_zero(run_cli, tmp_path):
    done = run_cli("grade", hand_in(tmp_path, "solution"))
    assert done.returncode == 0
    assert done.stdout.startswith("100/100  ")


def test_a_folder_as_lesson_exercise_writes_it(run_cli, tmp_path):
    hand_in(tmp_path / "03", "solution")
    hand_in(tmp_path / "03", "solution", "03/task2_energy")
    hand_in(tmp_path, "solution", "02/task1_walk")
    done = run_cli("grade", tmp_path, "--json")
    (student,) = json.loads(done.stdout)["students"]
    assert [task["task"] for task in student["tasks"]] == [
        "02/task1_walk.py",
        "03/task1_cube.py",
        "03/task2_energy.py",
    ]
    assert (student["points"], student["of"], done.returncode) == (300, 300, 0)


LOOPS = "while True: pass"
BAD = {
    "loops": LOOPS,
    "exits": "import os\nos._exit(7)",
    "prints": "while True: print('x' * 9999)",
    "breaks": "def f(:",
    "reads": "print(open('../good/task1_cube.py').read())",
    "kills": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "network": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')",
    "writes": "open('../good/task1_cube.py', 'w').write('')",
}


def test_a_class_with_bad_files_in_it(run_cli, tmp_path):
    """Nobody else's result is touched."""
    for name, text in BAD.items():
        hand_in(tmp_path / name, "", text=text)
    hand_in(tmp_path / "good", "solution")
    hand_in(tmp_path / "other", "ignores_dy")
    hand_in(tmp_path / "=cmd()", "solution", "03/task2_energy")
    (tmp_path / "nothing").mkdir()
    done = run_cli("grade", tmp_path, "--csv", "--seconds", "6")
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert set(rows) == {*BAD, "good", "other", "'=cmd()", "nothing"}
    assert {rows[name]["points"] for name in BAD} == {"0"}
    assert rows["good"] == {
        "student": "good",
        "03/task1_cube.py": "100",
        "03/task2_energy.py": "",
        "points": "100",
    }
    assert rows["other"]["points"] == "60"
    assert (rows["'=cmd()"]["03/task1_cube.py"], rows["'=cmd()"]["points"]) == ("", "100")
    assert rows["nothing"]["points"] == "0"
    assert [*rows] == sorted(rows, key=lambda name: name.removeprefix("'")), "in the order of the folders"


def test_json_says_why_and_the_seed(run_cli, tmp_path):
    hand_in(tmp_path / "me", "", text="import socket\nsocket.socket()")
    hand_in(tmp_path / "you", "factor")
    told = json.loads(run_cli("grade", tmp_path, "--json", "--seed", "5").stdout)
    assert told["seed"] == 5
    me, you = told["students"]
    assert me["tasks"][0]["why"] == "it uses the network"
    assert [claim["points"] for claim in you["tasks"][0]["claims"]] == [30, 0, 0, 0]
    assert "missing factor 3" in you["tasks"][0]["claims"][2]["hint"], "as minipaddle check says it"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "nothing: No such file or directory"),
        ((".",), "there is no task's file"),
        (("mine.py",), "there is no task's file"),
        ((".", "--json", "--csv"), "--json or --csv: one of them"),
        (("mine.py", "--tasks", "."), "there is no task in ."),
    ],
)
def test_what_cannot_be_graded(run_cli, tmp_path, words, said):
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")
    done = run_cli("grade", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


# -- tasks of a teacher's own ------------------------------------------------------------------------------------------

SKELETON = "# %% [markdown]\n# # Twice\n#\n# Return twice `x`.\n\n# %%\ndef twice(x):\n    ...\n"
GRADER = """
from minipaddle.tools.course.claims import claim, close
HINTS = ("a", "b", "c")
def asked(student, x):
    return student.twice(x)
@claim(100, "it doubles")
def doubles(ask, draw):
    x = draw.normal(size=3)
    return None if close(ask(asked, x), 2 * x) else "It does not double."
"""


@pytest.fixture
def own(tmp_path):
    """A folder with a task of a teacher's own."""
    folder = tmp_path / "own" / "01"
    folder.mkdir(parents=True)
    (folder / "task1_twice.py").write_text(SKELETON, encoding="utf-8")
    (folder / "task1_twice.check.py").write_text(GRADER, encoding="utf-8")
    return tmp_path / "own"


@pytest.mark.parametrize(("answer", "code"), [("return 2 * x", 0), ("return x", 3), ("...", 3)])
def test_a_teachers_own_task(run_cli, tmp_path, own, answer, code):
    file = tmp_path / "task1_twice.py"
    file.write_text(SKELETON.replace("...", answer), encoding="utf-8")
    done = run_cli("grade", file, "--tasks", own)
    assert done.returncode == code
    assert "01/task1_twice.py  Twice" in done.stdout


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GRADER.replace("100", "50"), "the claims are worth 100 points together"),
        (GRADER.replace('"b", ', ""), "HINTS are 3 sentences"),
        ("def (", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_grader_that_cannot_be_used_is_told_before_anybody_waits(run_cli, tmp_path, own, wrong, said):
    (own / "01" / "task1_twice.check.py").write_text(wrong, encoding="utf-8")
    file = tmp_path / "task1_twice.py"
    file.write_text("x = 1\n", encoding="utf-8")
    done = run_cli("grade", file, "--tasks", own)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    with pytest.raises(BadGrader):
        read_grader(own / "01" / "task1_twice.check.py")


def test_two_tasks_of_one_name(run_cli, tmp_path, own):
    shutil.copytree(own / "01", own / "02")
    done = run_cli("grade", tmp_path, "--tasks", own)
    assert done.returncode == 2
    assert "two tasks are called task1_twice.py" in done.stderr


def test_the_sentences_of_a_grader_are_found_as_they_stand():
    assert sentences_of(GRADER) == ["a", "b", "c", "it doubles", "It does not double."]


def test_close_takes_any_answer():
    assert close([1.0, 2.0], [1.0, 2.0])
    assert close(1, 1.0)
    for answer in (
        None,
        "1",
        [[1], [1, 2]],
        {"a": 1},
        ...,
        [1.0],
        [1.0, 2.0, 3.0],
        [1.0, 2.1],
        float("nan"),
        1j,
    ):
        assert not close(answer, [1.0, 2.0])
