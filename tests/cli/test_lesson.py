"""`minipaddle lesson` lists the tutorials, copies one, and makes a notebook of it."""

import ast
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from typer.testing import CliRunner

from minipaddle.tools.cli.app import app
from minipaddle.tools.cli.notebook.lesson import notebook_of

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "tutorials").glob("[0-9]*.py"))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lesson(here):
    """`lesson("3", "--force")` runs the command in this process, in a directory of its own."""
    return lambda *words: CliRunner().invoke(app, ["lesson", *words])


@pytest.fixture
def opened(monkeypatch):
    """The addresses that were to be opened, where there is Jupyter."""
    names = []
    monkeypatch.setattr("minipaddle.tools.cli.commands.lesson.find_spec", lambda name: True)
    monkeypatch.setattr("typer.launch", lambda name: names.append(name) or 0)
    return names


# -- the list --------------------------------------------------------------------------------------------------------


def test_without_a_name_every_tutorial_is_listed_on_a_line(lesson, here):
    done = lesson()
    assert done.exit_code == 0
    rows = done.stdout.splitlines()
    assert [int(row.split()[0]) for row in rows] == [int(path.name[:2]) for path in TUTORIALS]
    for row, path in zip(rows, TUTORIALS, strict=True):
        title = path.read_text(encoding="utf-8").splitlines()[1].partition(". ")[2]
        assert f" {title}  " in row
    assert "`" not in done.stdout
    assert "minipaddle lesson NUMBER" in done.stderr
    assert not any(here.iterdir())


def test_a_terminal_gets_lines_that_fit(run_cli):
    done = run_cli("lesson", env={"FORCE_COLOR": "1", "COLUMNS": "80", "TTY_COMPATIBLE": "1"})
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80


# -- a copy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_the_copy_differs_in_nothing_but_where_it_lies(lesson, here, tutorial):
    done = lesson(tutorial.stem)
    copy, original = (
        (folder / tutorial.name).read_text(encoding="utf-8") for folder in (here, tutorial.parent)
    )
    assert "tutorials/" not in copy
    assert copy == original.replace("tutorials/", "")
    assert ast.dump(ast.parse(copy)) == ast.dump(ast.parse(original))
    said = [line.strip() for line in done.stdout.splitlines()]
    assert [line.split()[:4] for line in said[1:4]] == [
        [verb, "minipaddle", verb, tutorial.name] for verb in ("run", "graph", "step")
    ]
    number, following = int(tutorial.name[:2]), TUTORIALS[TUTORIALS.index(tutorial) + 1 :]
    assert said[4].split() == ["tasks", "minipaddle", "lesson", str(number), "--exercise"]
    assert [line.split()[:4] for line in said[5:]] == [
        ["next", "minipaddle", "lesson", str(int(path.name[:2]))] for path in following[:1]
    ]


def test_what_it_says_can_be_typed(lesson, here, run_cli):
    commands = [line.partition("minipaddle ")[2] for line in lesson("1").stdout.splitlines()[1:4]]
    for command in commands:
        done = run_cli(*shlex.split(command), cwd=here)
        assert done.returncode == 0, done.stderr


def test_what_was_changed_is_not_written_over(lesson, here):
    lesson("1")
    assert lesson("1").exit_code == 0, "the same again is no loss"
    mine = here / "01_gradient_and_tape.py"
    mine.write_text("mine", encoding="utf-8")
    done = lesson("1", "--notebook")
    assert done.exit_code == 2
    assert "01_gradient_and_tape.py is there already" in done.stderr
    assert "--force" in done.stderr
    assert [path.read_text(encoding="utf-8") for path in here.iterdir()] == ["mine"]
    assert lesson("1", "--force").exit_code == 0
    assert mine.read_text(encoding="utf-8").startswith("# %%")


def test_a_directory_that_cannot_be_written(lesson, here):
    (here / "01_gradient_and_tape.py").mkdir()
    done = lesson("1", "--force")
    assert done.exit_code == 2
    assert "01_gradient_and_tape.py: " in done.stderr
    assert "Traceback" not in done.output


# -- a notebook ------------------------------------------------------------------------------------------------------


def test_a_notebook_runs_and_shows_the_pictures(lesson, here, monkeypatch):
    assert lesson("9", "--notebook").exit_code == 0
    written = here / "09_where_memory_goes.ipynb"
    notebook = nbformat.read(written, 4)
    nbformat.validate(notebook)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(here)}}
    ).execute()
    drawing = [cell for cell in notebook.cells if cell.source.startswith("%graph ")]
    shown = ["".join(output["data"]["image/svg+xml"] for output in cell.outputs) for cell in drawing]
    assert ["16.8 kB" in svg for svg in shown] == [True, False]
    assert ["4.8 kB" in svg for svg in shown] == [False, True]
    assert all("Mish" in svg or "exp_grad" in svg for svg in shown)
    stepping = notebook.cells[-1]
    assert "Mish_grad" in "".join(output.get("text", "") for output in stepping.outputs)


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_the_notebook_has_every_cell_of_the_script_and_every_command(tutorial):
    script = tutorial.read_text(encoding="utf-8")
    notebook = nbformat.reads(notebook_of(script), 4)
    nbformat.validate(notebook)
    begin, *code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert "%load_ext minipaddle" in begin.splitlines()
    kept = [source for source in code if source[0] != "%"]
    assert ast.dump(ast.parse("\n".join(kept))) == ast.dump(ast.parse(script))
    named = [shlex.split(line)[1:] for line in re.findall(r"^# {5}(minipaddle .*)$", script, re.MULTILINE)]
    magics = [shlex.split(source) for source in code if source[0] == "%"]
    assert {f"%{words[0]}" for words in named} - {"%run"} == {words[0] for words in magics}
    assert not [word for words in magics for word in words if word.endswith((".py", ".svg"))]


def test_a_magic_stands_below_its_section_and_once(lesson, here):
    lesson("8", "--notebook")
    cells = nbformat.read(here / "08_mirror_picture.ipynb", 4).cells
    names = [
        cell.source.partition("\n")[0] if cell.cell_type == "markdown" else cell.source for cell in cells
    ]
    places = [place for place, name in enumerate(names) if name.startswith(("%graph", "%step"))]
    after = [next(name for name in reversed(names[:place]) if name.startswith("## ")) for place in places]
    assert after == ["## Rows, rungs and the round plus"] + 3 * ["## When it grows"] + [
        "## What is left of the first cell"
    ]
    assert [names[place].startswith("%step") for place in places] == 4 * [False] + [True]


def test_a_magic_waits_for_the_code_that_its_prose_announces():
    script = """\
# %% [markdown]
# # 1. One
#
#     minipaddle graph tutorials/01.py

# %% [markdown]
# ## Look
# See how:
#
#     minipaddle flow tutorials/01.py --pass 1

# %%
x = 1

# %% [markdown]
# ## Next
#
#     minipaddle nan tutorials/01.py
# ## Last
"""
    cells = nbformat.reads(notebook_of(script), 4).cells[2:]
    assert [cell.source.partition("\n")[0] for cell in cells] == [
        *("## Look", "x = 1", "%flow --pass 1", "## Next", "%nan", "## Last"),
        *("## What is left of the first cell", "%graph"),
    ]


def test_a_chinese_notebook_has_magics_that_speak_chinese():
    begin = nbformat.reads(notebook_of("# %% [markdown]\n# # 1. 梯度\n", "zh"), 4).cells[1]
    assert begin.source.splitlines()[-1] == "%language zh"


def test_the_same_notebook_again_is_no_loss(lesson, here):
    lesson("2", "--notebook")
    done = lesson("2", "--notebook")
    assert done.exit_code == 0
    assert done.stdout.startswith("02_reverse_walk.py, 02_reverse_walk.ipynb: ")


def test_open_opens_a_notebook(lesson, here, opened):
    assert lesson("2", "--open").exit_code == 0
    assert opened == ["02_reverse_walk.ipynb"]
    assert (here / opened[0]).is_file()


def test_without_jupyter_it_says_how_to_get_it(lesson, monkeypatch):
    monkeypatch.setattr("minipaddle.tools.cli.commands.lesson.find_spec", lambda name: None)
    monkeypatch.setattr("typer.launch", lambda name: pytest.fail("nothing is opened"))
    assert "pip install '.[notebook]'" in lesson("2", "--open").stderr


def test_nothing_opens_it(lesson, opened, monkeypatch):
    monkeypatch.setattr("typer.launch", lambda name: 1)
    done = lesson("2", "--open")
    assert done.exit_code == 0
    assert "nothing here opens 02_reverse_walk.ipynb" in done.stderr


# -- where it is found ------------------------------------------------------------------------------------------------


def test_an_installed_package_has_the_tutorials_inside(run_python, tmp_path):
    """The content of the wheel, laid out as pip would: outside this tree the command works the same."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]
    inside = wheel["wheel"]["sources"]
    assert inside == {"tutorials": "minipaddle/tutorials"}
    for folder in wheel["wheel"]["only-include"]:
        shutil.copytree(
            ROOT / folder,
            tmp_path / "site" / inside.get(folder, folder),
            ignore=shutil.ignore_patterns("__pycache__"),
            dirs_exist_ok=True,
        )
    (tmp_path / "mine").mkdir()
    env = {"PYTHONPATH": str(tmp_path / "site")}
    done = run_python("-m", "minipaddle", "lesson", "3", env=env, cwd=tmp_path / "mine")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine" / "03_py_layer.py").is_file()


def test_a_package_without_tutorials_says_so(run_python, tmp_path):
    shutil.copytree(
        ROOT / "minipaddle", tmp_path / "minipaddle", ignore=shutil.ignore_patterns("__pycache__")
    )
    run_python("-m", "minipaddle", "lesson", env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path).ended(
        2, told="the tutorials are not installed here"
    )


def test_help_names_it(run_cli):
    done = run_cli("--help")
    assert "lesson" in done.stdout.split()


def test_the_package_can_be_run_as_a_module(run_python):
    done = run_python("-m", "minipaddle", "--version")
    assert done.stdout.startswith("minipaddle ")
