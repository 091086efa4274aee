"""The gallery: every picture is what its command draws today."""

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

GALLERY = Path(__file__).parent.parent / "docs" / "gallery"
PAGES = {"README.md": ("", 6), "textbook.md": ("textbook/", 10)}


def commands(page):
    return re.findall(r"^\$ minipaddle (.*)$", (GALLERY / page).read_text(encoding="utf-8"), re.MULTILINE)


COMMANDS = [command for page in PAGES for command in commands(page)]


@pytest.mark.parametrize("page", PAGES)
def test_all_are_there_and_all_are_shown(page):
    folder, count = PAGES[page]
    pictures = {folder + path.name for path in (GALLERY / folder).glob("*.svg")}
    assert len(pictures) == len(commands(page)) == count
    assert set(re.findall(r"\]\(([\w/]+\.svg)\)", (GALLERY / page).read_text(encoding="utf-8"))) == pictures
    assert {shlex.split(command)[-1] for command in commands(page)} == pictures


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: shlex.split(command)[-1])
def test_the_picture_is_the_one_that_is_drawn_today(run_cli, tmp_path, command):
    """Versions of Graphviz differ in places, not in what is drawn: ids and texts."""
    *arguments, name = shlex.split(command)
    done = run_cli(*arguments, tmp_path / "drawn.dot", cwd=GALLERY)
    assert done.returncode == 0, done.stderr
    drawn = (tmp_path / "drawn.dot").read_text(encoding="utf-8")
    stored = (GALLERY / name).read_text(encoding="utf-8")
    ids = set(re.findall(r'\bid="?(\w+)', drawn))
    assert ids
    assert ids - set(re.findall(r'id="(\w+)"', stored)) == set()
    assert set(re.findall(r'<g id="([fgvbu]\d+)" class="node"', stored)) <= ids
    if "--math" in command:  # every formula and every derivative
        written = {unescape(line).strip() for line in re.findall(r">([^<>]+)</text>", stored)}
        labels = [line for label in re.findall(r'\bx?label="(.*?)"', drawn) for line in label.split("\\n")]
        labels += map(unescape, re.findall(r"<td>([^<>]+)</td>", drawn))  # titles of frames
        for short in [line for line in written if line.endswith("…")]:  # no place is as wide as all of it
            written = written - {short} | {
                line.strip() for line in labels if line.strip().startswith(short[:-1])
            }
        assert {line.strip() for line in labels} == written


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: shlex.split(command)[-1])
def test_names_in_the_picture(command):
    stored = (GALLERY / shlex.split(command)[-1]).read_text(encoding="utf-8")
    assert ("∂" if "--math" in command else shlex.split(command)[1]) in stored
    assert (" gradient</text>" in stored) is ("--bare" not in command)
