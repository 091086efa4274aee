"""Lessons and tasks in an emulated browser: they need no threads, processes, sockets or SciPy."""

import json
import re
import subprocess
import sys
from html import unescape

import nbformat
import pytest

from minipaddle.tools.cli.notebook.lesson import notebook_of, task_notebook
from minipaddle.tools.course import tasks
from minipaddle.tools.course.lessons import lessons
from minipaddle.tools.words.language import speak
from tests.support.process import ROOT, clean_environment

LESSONS = {one.file.name.removesuffix(".py"): one for one in lessons()}
TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}
FIRST_TASKS = {name: task for name, task in TASKS.items() if task.lesson <= 3}
ANSWERS = ROOT / "tests" / "tutorials" / "answers"
DRAWN = re.compile(r'"nodes":\{"\w+":\{"a":"')
"""A pass with nodes, in the data of a page."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A process that answers requests."""
    folder = tmp_path_factory.mktemp("browser")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.browser_like"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**clean_environment(), "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / ".ipython")},
    ) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def in_a_browser(browser, tmp_path):
    """`in_a_browser(cells, ...)` runs notebooks in an empty folder; it returns the output of each one's cells."""

    def run(*notebooks):
        browser.stdin.write(json.dumps([str(tmp_path), notebooks]) + "\n")
        browser.stdin.flush()
        found = json.loads(browser.stdout.readline())
        assert found is not None, "its errors are above"
        return found

    return run


def code_of(text):
    return [cell.source for cell in nbformat.reads(text, 4).cells if cell.cell_type == "code"]


def chinese(name):
    speak("zh")
    try:
        (one,) = [one for one in lessons() if one.file.name == f"{name}.py"]
        return notebook_of(one.folded(0), "zh")
    finally:
        speak("en")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_in_both_languages(name, in_a_browser):
    both = [code_of(notebook_of(LESSONS[name].folded(0))), code_of(chinese(name))]
    assert both[0][1:] == both[1][1:]
    for cells in in_a_browser(*both):
        assert [one["failed"] for one in cells if one["failed"]] == []
        for one in cells:
            if one["cell"].startswith("%graph"):
                page = unescape(one["shown"][0]["text/html"])
                assert page.startswith("<iframe")
                assert DRAWN.search(page)
            elif one["cell"].startswith("%"):
                assert one["text"]


@pytest.mark.parametrize("name", FIRST_TASKS)
def test_a_task_is_done_from_start_to_points(name, in_a_browser):
    task = FIRST_TASKS[name]
    untouched = [cell for cell in code_of(task_notebook(task.original, task.name)) if "__main__" not in cell]
    first, second = in_a_browser(untouched, code_of(solved(name)))
    assert [one["failed"] for one in (*first, *second) if one["failed"]] == []
    assert first[-1]["shown"][0]["text/plain"] == "0"
    assert second[-1]["shown"][0]["text/plain"] == "100"


def solved(name):
    """Return the notebook of a task with its solution."""
    task, solution = TASKS[name], (ANSWERS / name / "solution.py").read_text(encoding="utf-8")
    notebook = nbformat.reads(task_notebook(task.original, task.name), 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source += f"\n\n{solution}"
    return nbformat.writes(notebook)


def test_a_task_goes_on_from_the_notebook_of_the_one_before(in_a_browser, tmp_path):
    """Lesson 21, whose tasks import each other; the skeletons written beside them are older."""
    names = [name for name in TASKS if name.startswith("21/")]
    for name in names:
        (tmp_path / TASKS[name].name).write_text(TASKS[name].original, encoding="utf-8")
        (tmp_path / f"{TASKS[name].stem}.ipynb").write_text(solved(name), encoding="utf-8")
    done = in_a_browser(*(code_of(solved(name)) for name in names))
    assert [one["failed"] for cells in done for one in cells if one["failed"]] == []
    assert [cells[-1]["shown"][0]["text/plain"] for cells in done] == ["100"] * len(names)


WORK = """
%load_ext minipaddle
import minipaddle.tools.cli.app, minipaddle.tools.picture, minipaddle.tools.debug
import paddle
w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
"""


def test_all_that_shows_something_does(in_a_browser):
    cells = [
        WORK,
        "%%graph --page\n(w * w).sum().backward()",
        "%step",
        "%%step -c 'goto w@GRAD' -c why\nw.tanh().sum().backward()",
        "%why w.grad",
        "%check",
        "with minipaddle.tools.debug.record() as run:\n    (w * 3).sum().backward()\nrun.graph()",
        "picture = minipaddle.tools.picture.graph((w * 2).sum())",
        "assert '<html' in picture.html()",
        "picture.save('x.html'), picture.save('x.json')\npicture",
        "paddle.save({'w': w}, 'w.pdparams')\nassert paddle.load('w.pdparams')['w'].shape == [2]",
        "for (batch,) in paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 2])]), batch_size=2):\n"
        "    assert batch.shape == [2, 2]",
    ]
    (shown,) = in_a_browser(cells)
    assert [one["failed"] for one in shown if one["failed"]] == []
    of = [one["shown"][0] if one["shown"] else {} for one in shown]
    assert "<iframe" in of[1]["text/html"]
    assert "multiply_grad" in shown[2]["text"]
    assert "w@GRAD = " in shown[3]["text"]
    assert "the gradient of w is well" not in shown[4]["failed"]
    assert "<iframe" in of[6]["text/html"]
    assert DRAWN.search(unescape(of[9]["text/html"]))


def test_what_is_taken_away_is_away(in_a_browser):
    """Otherwise the tests above would prove nothing."""
    cells = [
        "def fails(function, *args):\n    try:\n        function(*args)\n"
        "    except (OSError, RuntimeError, ImportError):\n        return True\n    return False",
        "import os, subprocess, threading, socket, shutil, sys\n"
        "from importlib import import_module\n"
        "assert fails(threading.Thread(target=print).start)\n"
        "assert fails(subprocess.run, ['true'])\n"
        "assert fails(socket.socket)\n"
        "assert fails(import_module, 'scipy') and fails(import_module, 'graphviz')\n"
        "assert shutil.which('dot') is None",
        "import contextvars\nhere = contextvars.ContextVar('here', default=1)\nhere.set(2)",
        "assert here.get() == 1, 'every cell is a task of its own'",
    ]
    (shown,) = in_a_browser(cells)
    assert [one["failed"] for one in shown if one["failed"]] == []
