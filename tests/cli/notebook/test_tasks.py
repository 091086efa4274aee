"""Tasks as notebooks: nbgrader's metadata of their cells, and points for the cells' names."""

import ast

import nbformat
import pytest
from typer.testing import CliRunner

from minipaddle.tools.cli.app import app
from minipaddle.tools.cli.notebook.lesson import task_notebook
from minipaddle.tools.course import tasks
from tests.support.answers import text_of
from tests.support.kernel import kernel

TASKS = {f"{task.lesson:02}/{task.stem}": task for task in tasks()}


def notebook(task):
    found = nbformat.reads(task_notebook(task.original, task.name), 4)
    nbformat.validate(found)
    return found


@pytest.mark.parametrize("name", TASKS)
def test_nbgrader_is_told_where_to_write_and_what_counts(name):
    cells = notebook(TASKS[name]).cells
    told = [cell.metadata.get("nbgrader", {}) for cell in cells]
    assert len({one.grade_id for one in told if one}) == len([one for one in told if one])
    assert [one.points for one in told if one.get("grade")] == [100]
    assert told[-1].grade
    assert told[-1].locked
    assert cells[-1].source == f"%grade {TASKS[name].name}"
    written = [cell.source for cell, one in zip(cells, told, strict=True) if one.get("solution")]
    assert written
    assert all("..." in source.split() for source in written)
    assert not any(one.get("locked") for one in told if one.get("solution"))


@pytest.mark.parametrize("name", TASKS)
def test_its_code_is_that_of_the_skeleton(name):
    _, *code, _ = [cell.source for cell in notebook(TASKS[name]).cells if cell.cell_type == "code"]
    assert ast.dump(ast.parse("\n".join(code))) == ast.dump(ast.parse(TASKS[name].original))


def test_points_are_for_what_the_cells_define_now():
    task = TASKS["03/task1_cube"]
    begin, imports, skeleton, _, points = [
        cell.source for cell in notebook(task).cells if cell.cell_type == "code"
    ]
    with kernel() as cells:
        for source in (begin, imports, skeleton):
            assert not cells.run(source).errors
        assert cells.run(points).of_kind("text/plain") == "0"
        cells.run(text_of("03/task1_cube", "ignores_dy"))
        wrong = cells.run(points)
        assert "`backward` ignores `dy`" in " ".join(wrong.text.split())
        assert 0 < int(wrong.of_kind("text/plain")) < 100
        cells.run(text_of("03/task1_cube", "solution"))
        right = cells.run(points)
        assert right.of_kind("text/plain") == "100"
        assert "for marks: minipaddle grade" in right.errors
        assert "no task is called nothing" in cells.run("%grade nothing").errors
        assert "nothing was recorded" in cells.run("%step -c where").errors, "grading is not recorded"


def test_the_command_writes_them_in_the_readers_language(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["lesson", "3", "--exercise", "--notebook"])
    assert done.exit_code == 0, done.stderr
    names = sorted(path.name for path in (tmp_path / "03").iterdir())
    assert names == ["task1_cube.ipynb", "task1_cube.py", "task2_energy.ipynb", "task2_energy.py"]
    nbformat.validate(nbformat.read(tmp_path / "03" / "task1_cube.ipynb", 4))
