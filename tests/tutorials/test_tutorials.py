"""The tutorials: their form, that they run here, and that `graph` and `step` take them."""

import ast
import re
import runpy
import shlex
import xml.etree.ElementTree as ElementTree
from contextvars import copy_context
from itertools import pairwise
from pathlib import Path

import pytest

from minipaddle.importer import paddle_is_minipaddle

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "tutorials").glob("[0-9]*.py"))

pytestmark = pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)


def cells(tutorial):
    """Return the cells of a percent script as pairs (is it prose, its lines)."""
    head, *parts = re.split(r"^# %%(.*)\n", tutorial.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert head == "", "a cell begins on the first line"
    kinds, bodies = parts[::2], parts[1::2]
    assert set(kinds) <= {"", " [markdown]"}
    return [(kind != "", body.strip("\n").splitlines()) for kind, body in zip(kinds, bodies, strict=True)]


def head(tutorial):
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in cells(tutorial)[0][1])


def commands(prose):
    """Return the commands that stand in prose, as lists of words after `minipaddle`."""
    return [shlex.split(line)[1:] for line in re.findall(r"^#? {4,5}(minipaddle .*)$", prose, re.MULTILINE)]


def new_names(tutorial):
    said = re.search(r"^New names?: ([^.]*)\.", head(tutorial), re.MULTILINE)
    assert said, "the head has a sentence that begins with 'New names:'"
    return re.findall(r"`(\w+)(?:\(\))?`", said[1])


# -- the form ---------------------------------------------------------------------------------------------------------


def test_it_is_short(tutorial):
    assert 60 <= len(tutorial.read_text(encoding="utf-8").splitlines()) <= 160


def test_prose_stands_in_comments_and_every_code_cell_is_complete(tutorial):
    for is_prose, lines in cells(tutorial):
        if is_prose:
            assert all(line.startswith("#") for line in lines if line)
        else:
            assert ast.parse("\n".join(lines)).body


def test_the_head_has_a_numbered_title_and_says_what_there_is_to_see(tutorial):
    assert head(tutorial).startswith(f"# {int(tutorial.stem[:2])}. ")
    assert "\nYou will see " in head(tutorial)


def test_the_head_shows_the_three_commands(tutorial):
    name = f"tutorials/{tutorial.name}"
    assert [words[:2] for words in commands(head(tutorial))] == [
        ["run", name],
        ["graph", name],
        ["step", name],
    ]


def test_at_most_three_names_are_new_and_the_code_uses_them(tutorial):
    names = new_names(tutorial)
    code = "\n".join(line for is_prose, lines in cells(tutorial) if not is_prose for line in lines)
    assert 1 <= len(names) <= 3
    assert all(re.search(rf"\b{name}\b", code) for name in names)
    earlier = [name for other in TUTORIALS[: TUTORIALS.index(tutorial)] for name in new_names(other)]
    assert not set(names) & set(earlier)


def test_it_is_written_for_paddle_alone(tutorial):
    imported = set()
    for node in ast.walk(ast.parse(tutorial.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert "paddle" in imported
    assert imported <= {"paddle", "numpy"}


def test_it_ends_in_assertions(tutorial):
    statements = ast.parse(tutorial.read_text(encoding="utf-8")).body
    assert all(isinstance(statement, ast.Assert) for statement in statements[-4:])


def test_the_prose_leads_from_one_to_the_next(tutorial):
    number = int(tutorial.stem[:2])
    prose = " ".join(line for is_prose, lines in cells(tutorial) if is_prose for line in lines).lower()
    if any(other.stem.startswith(f"{number - 1:02}_") for other in TUTORIALS):
        assert f"tutorial {number - 1}" in prose
    if any(other.stem.startswith(f"{number + 1:02}_") for other in TUTORIALS):
        assert f"tutorial {number + 1}" in prose


def test_the_list_names_it_with_its_title_and_its_new_names(tutorial):
    rows = (ROOT / "tutorials" / "README.md").read_text(encoding="utf-8").splitlines()
    (row,) = [row for row in rows if row.startswith("| [") and f"]({tutorial.name})" in row]
    assert row.startswith(f"| [{head(tutorial).splitlines()[0].removeprefix('# ')}](")
    assert re.findall(r"`(\w+)`", row.rpartition(" | ")[2]) == new_names(tutorial)


def test_a_lesson_asks_before_it_answers(tutorial):
    parts = [(is_prose, "\n".join(lines)) for is_prose, lines in cells(tutorial)]
    plan = re.search(
        r"\*\*Goals:\*\* you can .*\*\*Before:\*\*\s(.*)\*\*Time:\*\* \d+ minutes", head(tutorial), re.DOTALL
    )
    assert plan
    needed = [int(number) for number in re.findall(r"\d+", plan[1])]
    assert needed or plan[1].startswith("nothing")
    assert all(number < int(tutorial.stem[:2]) for number in needed)
    asked = [number for number, (is_prose, text) in enumerate(parts) if is_prose and "**Guess:** " in text]
    assert len(asked) >= 3
    for number in asked:
        assert parts[number][1].splitlines()[-1].endswith("?"), "the question is the last line of its cell"
        assert not parts[number + 1][0], "and the answer is computed in the next"
        assert "print(" in parts[number + 1][1]
    assert re.search(r"\*\*Summary:\*\* .*\*\*What next:\*\* ", parts[-2][1], re.DOTALL)


# -- it runs ----------------------------------------------------------------------------------------------------------


def test_it_runs_in_this_process(tutorial, capsys):
    with paddle_is_minipaddle():  # in a context of its own: `enable_static` must not stay
        left = copy_context().run(runpy.run_path, str(tutorial), run_name="__main__")
    assert left["paddle"].__name__ == "minipaddle.paddle"
    assert len(capsys.readouterr().out.splitlines()) >= 4


def test_its_commands_do_what_the_head_promises(tutorial, run_cli, tmp_path):
    (tmp_path / "tutorials").symlink_to(ROOT / "tutorials")
    for words in commands(head(tutorial)):
        done = run_cli(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "***" not in done.stdout, "a command of the debugger was refused"
        assert "Traceback" not in done.stderr


def test_the_commands_further_down_do_too(tutorial, run_cli, tmp_path):
    (tmp_path / "tutorials").symlink_to(ROOT / "tutorials")
    prose = ["\n".join(lines) for is_prose, lines in cells(tutorial)[1:] if is_prose]
    for words in [words for part in prose for words in commands(part)]:
        done = run_cli(*words, cwd=tmp_path)
        assert done.returncode == (3 if words[0] in ("check", "flow", "nan") else 0), done.stderr
        drawn = [tmp_path / name for option, name in pairwise(words) if option == "-o"]
        assert all(file.stat().st_size > 1000 for file in drawn)


def test_graph_draws_its_last_backward_pass(tutorial, run_cli, tmp_path):
    done = run_cli("graph", tutorial, "-o", tmp_path / "x.svg", "--depth", "all", "--fold", "none")
    assert done.returncode == 0, done.stderr
    texts = [
        text.strip() for text in ElementTree.parse(tmp_path / "x.svg").getroot().itertext() if text.strip()
    ]
    assert any(text.startswith(tutorial.name) for text in texts)
    ends = (
        r"[wx]\.grad" if ".grad of a leaf" in texts else r"[wx]@GRAD|second"
    )  # in a Program; the last by the script's name
    assert any(re.fullmatch(ends, text) for text in texts), "it ends where the gradient of a leaf is stored"
    assert any(text.endswith("_grad") for text in texts)


def test_step_walks_through_it(tutorial, run_cli):
    done = run_cli("step", tutorial, "-c", "next", "-c", "why")
    assert done.returncode == 0, done.stderr
    _, first, second = done.stdout.split("┌ ")
    assert re.match(r"0/\d+  ", first)
    assert re.match(r"[1-9]\d*/\d+  ", second)
    answer = second.partition("└ next: ")[2].splitlines()[1:]
    assert answer, "why says something about every event"
