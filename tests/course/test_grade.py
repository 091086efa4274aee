"""`minipaddle grade`: a file, a folder, a class; lines, JSON and CSV; a teacher's own tasks."""

import csv
import io
import json
import re

from minipaddle.tools.course.claims import close
from tests.support.answers import text_of
from tests.support.translations import sentences_of


def hand_in(folder, answer, task="03/task1_cube", text=None):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{task.partition('/')[2]}.py"
    file.write_text(text_of(task, answer) if text is None else text, encoding="utf-8")
    return file


def test_the_seed_is_told_and_draws_the_same_again(run_cli, tmp_path):
    """For a wrong answer whose hint has random numbers."""
    file = hand_in(tmp_path, "factor")
    first = run_cli("grade", file)
    told = r"minipaddle: the inputs were drawn: --seed (\d+) draws them again\n"
    seed = re.fullmatch(told, first.stderr)[1]
    assert "was computed" in first.stdout
    assert run_cli("grade", file, "--seed", seed).stdout == first.stdout
    assert run_cli("grade", file, "--seed", str(int(seed) + 1)).stdout != first.stdout


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
    """Other students' results are not affected."""
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


# -- tasks of a teacher's own ------------------------------------------------------------------------------------------

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
