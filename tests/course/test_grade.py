"""`minipaddle grade`: a file, a folder, a class; lines, JSON and CSV; a teacher's own tasks."""

import csv
import io
import json
import re

import pytest

from minipaddle.tools.cli.notebook.lesson import task_notebook
from minipaddle.tools.course import tasks
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
        "hints": "",
        "points": "100",
    }
    assert rows["other"]["points"] == "59", "60 is a pass, and something is wrong"
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
    none_of_them = (None, "1", [[1], [1, 2]], {"a": 1}, ..., [1.0], [1.0, 2.0, 3.0], [1.0, 2.1], 1j)
    for answer in (*none_of_them, float("nan")):
        assert not close(answer, [1.0, 2.0])


# -- what lies in a folder ---------------------------------------------------------------------------------------------


def test_each_file_is_graded_or_named(run_cli, tmp_path):
    """As zips, downloads and renamed copies leave them; a progress file tells of hints."""
    solved, task = text_of("03/task1_cube", "solution"), tasks()[4]
    assert task.name == "task1_cube.py"
    notebook = json.loads(task_notebook(task.original, task.name))
    hand_in(tmp_path / "李雷" / "homework" / "03", "solution")
    (tmp_path / "李雷" / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "李雷" / "task1_cube (1).py").write_text("x = 1", encoding="utf-8")
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "Ann_Task1_cube (2).PY").write_text(solved, encoding="utf-8")
    hand_in(tmp_path / "o'\"n" / "03", "", text=task.original)
    (tmp_path / "o'\"n" / "03" / "task1_cube.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    kept = {"points": {}, "hints": {"task1_cube.py": 2, "task2_energy.py": 1}}
    (tmp_path / "ann" / "progress.json").write_text(json.dumps(kept), encoding="utf-8")
    (tmp_path / "empty").mkdir()
    done = run_cli("grade", tmp_path, "--csv", "--seed", "1")
    head = "\ufeffstudent,03/task1_cube.py,hints,points\n"
    assert done.stdout == head + 'ann,100,3,100\nempty,,,0\n"o\'""n",0,,0\n李雷,100,,100\n'
    assert "李雷/notes.txt: it is no task's file" in done.stderr
    assert "李雷/task1_cube (1).py: homework/03/task1_cube.py was graded" in done.stderr
    next(cell for cell in notebook["cells"] if "class Cube" in "".join(cell["source"]))["source"] = [
        "%timeit 1\n" + solved.partition("\n")[2] + "# is it right?\nCube?\n"
    ]
    (tmp_path / "o'\"n" / "03" / "task1_cube.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (student,) = json.loads(run_cli("grade", tmp_path / "o'\"n", "--json").stdout)["students"]
    assert (student["points"], student["tasks"][0]["file"][-6:]) == (100, ".ipynb")
    assert student["not graded"] == [{"file": "03/task1_cube.py", "why": "03/task1_cube.ipynb was graded"}]


@pytest.mark.parametrize(
    ("written", "points", "said"),
    [
        ("solution", 100, ""),
        (lambda text: "\ufeff" + text.replace("\n", "\r\n"), 100, ""),
        (lambda text: text.replace("    ", "\t"), 100, ""),
        (lambda text: f"def print(*a): raise BaseException\n{text}", 100, ""),
        (lambda text: ("# -*- coding: gbk -*-\n# 立方\n" + text).encode("gbk"), 100, ""),
        (lambda text: f"{text}# 立方\n".encode("gbk"), 0, "may be one in GBK: save it as UTF-8"),
        (lambda text: text.encode("utf-16"), 0, "it is no text in UTF-8"),
        (lambda text: text + "#" * 10_000_000, 0, "it is larger than a megabyte"),
        (lambda text: text.replace("        ", "\t", 1), 0, "TabError: inconsistent use of tabs"),
        (
            lambda text: f"{text}\nwhile True:\n  try:\n    1 / 0\n  except BaseException: pass",
            0,
            "to an end",
        ),
        (lambda text: f"{text}\nimport paddle\npaddle.to_tensor = None", 0, "it replaces paddle.to_tensor"),
        (
            lambda text: f"{text}\nimport paddle\npaddle.Tensor.backward = lambda *a: None",
            0,
            "it replaces paddle.Tensor.backward",
        ),
        (
            lambda text: f"{text}\nimport paddle\nsetattr(paddle, 'to_tensor', 1)",
            0,
            "it replaces paddle.to_tensor",
        ),
        (
            lambda text: f"{text}\nimport paddle\npaddle.Tensor.numpy = lambda self: 0",
            0,
            "it replaces paddle.Tensor.numpy",
        ),
        (lambda text: text.partition("    @staticmethod\n    def backward")[0], 0, "backward"),
    ],
)
def test_a_file_in_any_form_has_one_line(run_cli, tmp_path, written, points, said):
    text = text_of("03/task1_cube", "solution")
    text = text if written == "solution" else written(text)
    raw = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "task1_cube.py").write_bytes(raw)
    (student,) = json.loads(run_cli("grade", tmp_path, "--json", "--seconds", "1").stdout)["students"]
    (task,) = student["tasks"]
    hints = [part["hint"] for part in task["claims"] if part["hint"]]
    assert student["points"] == points or (points == 0 and student["points"] < 60)
    assert said in (task["why"] or (hints or [""])[0])


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("03/task1_cube", "return dy *", "dx = dy *", "{returns} x (task1_cube.py, line 13)"),
        ("03/task2_energy", "return dy *", "...  #", "{returns} m, v (task2_energy.py, line 13)"),
        (
            "16/task2_softmax",
            "return",
            "dx =",
            "home returns nothing: is a return missing? (task2_softmax.py, line 2)",
        ),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_half_way_state_has_a_sentence(run_cli, tmp_path, name, old, new, said, language):
    file = hand_in(tmp_path, "", name, text_of(name, "solution").replace(old, new))
    done = run_cli("--lang", language, "grade", file)
    said = said.format(returns="backward returns None: it should return the gradient of")
    assert language == "en" or ("：" in done.stdout and "line" not in done.stdout)
    assert language == "zh" or said in done.stdout
