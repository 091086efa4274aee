"""The milestones of lesson 21 run on the autograd that the reader built: here, on the solutions of its tasks."""

import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from minipaddle.tools.course import tasks
from tests.support.answers import solution, write_solutions

OWN = [f"21/{task.stem}" for task in tasks() if task.lesson == 21]
MILESTONES = sorted(
    (Path(__file__).resolve().parents[2] / "tutorials" / "tasks" / "21").glob("milestone_*.py")
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the four tasks solved, from which they are imported."""
    write_solutions("21", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [one.stem for one in tmp_path.glob("task*.py")]:
        sys.modules.pop(name, None)


def test_they_are_those_of_four_years():
    assert [re.search(r"\d{4}", path.name)[0] for path in MILESTONES] == ["1958", "1986", "1998", "2017"]


@pytest.mark.parametrize("milestone", MILESTONES, ids=lambda path: path.stem)
def test_it_does_what_it_claims(milestone, folder, capsys):
    """Its last lines are assertions: what is learned, and what is not."""
    script = shutil.copy(milestone, folder)
    runpy.run_path(str(script), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 2
    assert re.search(r"^assert ", milestone.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("milestone", MILESTONES, ids=lambda path: path.stem)
def test_it_runs_on_the_readers_code_and_numpy_alone(milestone):
    imported = re.findall(r"^(?:from|import) (\w+)", milestone.read_text(encoding="utf-8"), re.MULTILINE)
    own = {name.partition("/")[2] for name in OWN}
    assert "task2_backward" in imported
    assert set(imported) <= own | {"numpy"}


def test_the_readers_autograd_has_about_a_hundred_lines():
    lines = [line for name in OWN for line in solution(name).splitlines() if line.strip()]
    assert len(lines) <= 130
