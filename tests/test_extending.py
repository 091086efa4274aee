"""The extension guide and the page for those who outgrow us: their code is whole, runs, and prints what they say."""

import re
from pathlib import Path

import pytest

from tests.support.transcripts import agrees, exchanges, type_in

DOCS = Path(__file__).parent.parent / "docs"
GUIDE = DOCS / "extending"
PAGE = (GUIDE / "README.md").read_text(encoding="utf-8")
SCRIPTS = sorted(path.name for path in GUIDE.glob("*.py"))
OUTGROW = (DOCS / "outgrow.md").read_text(encoding="utf-8")


def said_on(page, command):
    blocks = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    told = {one.command: one.lines for block in blocks for one in exchanges(block)}
    return told[command]


def test_the_guide_has_what_it_promises():
    assert SCRIPTS == ["command.py", "doors.py", "softclip.py", "writer.py"]
    for file in SCRIPTS:
        assert f"\n{(GUIDE / file).read_text(encoding='utf-8')}```\n" in PAGE, (
            f"{file} is another on the page"
        )


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_of_the_guide_runs_and_prints_what_the_page_says(script):
    command = f"minipaddle run {script}"
    assert agrees(said_on(PAGE, command), type_in(command, GUIDE))


def test_the_script_for_both_is_the_one_on_the_page():
    script = (DOCS / "images" / "outgrow.py").read_text(encoding="utf-8")
    assert f"```python\n{script}```" in OUTGROW
    command = "minipaddle run outgrow.py"
    assert agrees(said_on(OUTGROW, command), type_in(command, DOCS / "images"))


def test_two_processes_are_refused_in_words(run_cli):
    done = run_cli(
        "run",
        "-m",
        "paddle.distributed.launch",
        "--",
        "--nproc_per_node",
        "2",
        "outgrow.py",
        cwd=DOCS / "images",
    )
    assert done.returncode != 0
    assert "minipaddle trains in one" in done.stderr


def test_custom_gradients_begin_with_code(run_cli):
    page = (DOCS / "custom-gradients.md").read_text(encoding="utf-8")
    first = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert first is not None
    assert page.index(first[0]) < page.index("\n## ")
    script = (DOCS / "images" / "cube_fixed.py").read_text(encoding="utf-8")
    assert first[1] == script
    done = run_cli("check", "cube_fixed.py", cwd=DOCS / "images")
    assert agrees(said_on(page, "minipaddle check cube_fixed.py"), done.stdout.splitlines())


def test_the_four_ways_to_a_gradient_run_and_print_the_same(run_cli, tmp_path):
    page = (DOCS / "custom-gradients.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (said,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "cubes.py").write_text("\n\n".join(code), encoding="utf-8")
    done = run_cli("run", "cubes.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(said)
    assert len({line.split(" ", 1)[1].strip() for line in said.splitlines()}) == 1
