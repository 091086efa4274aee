"""The first hour: what the pages say of installing is there, for every shell, and names nothing that cannot be had."""

import re
import tomllib

import pytest

import minipaddle
from tests.support.process import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "tutorials").glob("*.md")),
]
ELSEWHERE = {"paddlepaddle", "paddlepaddle-gpu", "visualdl"}
"""What other projects have on the index."""


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0].lower()


def known():
    extras = [one for group in PROJECT["optional-dependencies"].values() for one in group]
    return {name_of(one) for one in (*PROJECT["dependencies"], *extras)} | ELSEWHERE


def named_in(text):
    """Return the packages that ``pip install`` is told in a text, without folders and options."""
    package = r"[\"']?[a-z][\w.\[\]-]*[\"']?"
    text = re.sub(r" -i \S+", "", text)
    told = re.findall(rf"pip install ((?:-\S+ )*(?:{package}(?: |$|(?=\W)))+)", text, re.MULTILINE)
    words = [word.strip("\"'") for line in told for word in line.split() if not word.startswith("-")]
    return {name_of(word) for word in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_packages_that_can_be_installed(page):
    text = page.read_text(encoding="utf-8")
    wheelhouse = re.sub(r"pip install --no-index --find-links \S+ minipaddle", "", text)
    said = named_in(wheelhouse) - ({"minipaddle", "in", "the"} if page.name == "release.md" else set())
    assert said <= known()


def test_hints_name_packages_that_can_be_installed():
    for file in (ROOT / "minipaddle").rglob("*.py"):
        said = named_in(file.read_text(encoding="utf-8"))
        own = (
            {"minipaddle"}
            if file.name == "lesson.py" and "%pip install" in file.read_text("utf-8")
            else set()
        )
        assert said - own <= known(), file


def test_the_readme_installs_without_make_in_every_shell_and_runs_a_script_first():
    blocks = dict(re.findall(r"^```(sh|powershell)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[::-1])
    assert {"pip install ."} <= set(blocks["sh"].splitlines()) & set(blocks["powershell"].splitlines())
    start = README[README.index("## Try it") :]
    assert start.index("minipaddle run 01_gradient_and_tape.py") < start.index("make")


def test_what_the_extras_are_called_is_what_the_pages_say():
    said = {
        extra for page in PAGES for extra in re.findall(r"'\.\[(\w+)\]'", page.read_text(encoding="utf-8"))
    }
    assert {"notebook"} <= said <= set(PROJECT["optional-dependencies"])


def test_the_version_is_said_once():
    assert PROJECT["version"] == minipaddle.__version__


def test_packages_are_found_in_every_form():
    assert named_in('pip install -q "numpy[x]" scipy, or: `pip install .`') == {"numpy", "scipy"}
    assert named_in("pip install -i https://a.b/simple rich\npip install typer") == {"rich", "typer"}
    assert named_in("raise ImportError('pip install nowhere')") == {"nowhere"}
