"""`minipaddle lesson`: the tutorials, listed, copied to where you are, opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from minipaddle.cli.console import fail, failing_at, note, results

_ROW = re.compile(
    r"^\| \[(?P<number>\d+)\. (?P<title>[^\]]+)\]\((?P<file>\w+\.py)\) \| (?P<shows>.+?) \| ", re.M
)
_COMMAND = re.compile(r"^# {5}(minipaddle (\w+) .*)$", re.M)
_IN_THE_TREE = re.compile(r"\btutorials/(?=\d\d_\w+\.py)")
_ONE_LINE_EACH = 1000


@dataclass(frozen=True)
class Lesson:
    """A tutorial, as the list of tutorials names it."""

    number: int
    title: str
    shows: str
    file: Traversable

    @property
    def names(self) -> tuple[str, ...]:
        """What one may call it: ``3``, ``03``, ``py_layer``, ``03_py_layer``, ``03_py_layer.py``."""
        stem = self.file.name.removesuffix(".py")
        number, _, word = stem.partition("_")
        return str(self.number), number, word, stem, self.file.name

    @property
    def text(self) -> str:
        """Its script; commands name a file that lies where they are typed."""
        return _IN_THE_TREE.sub("", self.file.read_text(encoding="utf-8"))


def lesson(
    name: Annotated[str | None, typer.Argument(help="A tutorial: its number or its name.")] = None,
    notebook: Annotated[bool, typer.Option("--notebook", help="Write a notebook (.ipynb) too.")] = False,
    show: Annotated[bool, typer.Option("--open", help="Open it, as a notebook.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """List the tutorials, or copy one into this directory and say what to do with it."""
    lessons = _lessons()
    if name is None:
        _list(lessons)
        return
    chosen = _named(name, lessons)
    written = _write(chosen, notebook or show, force)
    _say_what_next(chosen, written, lessons)
    if show and typer.launch(str(written[-1])) != 0:
        note(f"nothing here opens {written[-1].name}")


def _lessons() -> list[Lesson]:
    """Return the tutorials, as their README lists them: inside the installed package, or beside it in a checkout."""
    package = files("minipaddle")
    places = [package / "tutorials", *([package.parent / "tutorials"] if isinstance(package, Path) else [])]
    place = next((place for place in places if (place / "README.md").is_file()), None)
    if place is None:
        fail("the tutorials are not installed here")
    rows = _ROW.finditer((place / "README.md").read_text(encoding="utf-8"))
    return [
        Lesson(int(row["number"]), row["title"], row["shows"].replace("`", ""), place / row["file"])
        for row in rows
    ]


def _list(lessons: list[Lesson]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="right")
    for one in lessons:
        table.add_row(str(one.number), one.title, one.shows)
    console = results()
    if not console.is_terminal:
        console.width = _ONE_LINE_EACH
    console.print(table)
    note("`minipaddle lesson NUMBER` copies one into this directory")


def _named(name: str, lessons: list[Lesson]) -> Lesson:
    """Return the tutorial that goes by this name, or has it as part of its own; exits with USAGE if none does."""
    wanted = name.lower()
    found = [one for one in lessons if wanted in one.names]
    found = found or [one for one in lessons if not wanted.isdecimal() and wanted in one.file.name]
    if len(found) != 1:
        words = [one.names[2] for one in lessons]
        close = [one.names[2] for one in found] or get_close_matches(wanted, words)
        hint = f"do you mean {' or '.join(close)}?" if close else "`minipaddle lesson` lists them"
        fail(f"{'more than one' if found else 'no'} tutorial is called {name!r}; {hint}")
    return found[0]


def _write(chosen: Lesson, notebook: bool, force: bool) -> list[Path]:
    """Write the script, and the notebook if wanted; exits with USAGE rather than write over what was changed."""
    from minipaddle.framework.whole_file import write_whole

    texts = {Path(chosen.file.name): chosen.text}
    if notebook:
        from minipaddle.cli.notebook.lesson import notebook_of

        texts[Path(chosen.file.name).with_suffix(".ipynb")] = notebook_of(chosen.text)
    for path, text in texts.items():
        if path.exists() and not force and path.read_bytes() != text.encode():
            fail(f"{path} is there already, and differs; --force writes over it")
    for path, text in texts.items():
        with failing_at(path):
            write_whole(path, text.encode())
    return list(texts)


def _say_what_next(chosen: Lesson, written: list[Path], lessons: list[Lesson]) -> None:
    console = results()
    console.print(f"{', '.join(path.name for path in written)}: {chosen.title}", soft_wrap=True)
    for command, verb in _COMMAND.findall(chosen.text.partition("\n# %%\n")[0]):
        console.print(f"  {verb:6} {command}", soft_wrap=True)
    following = next((one for one in lessons if one.number > chosen.number), None)
    if following is not None:
        console.print(f"  next   minipaddle lesson {following.number}    ({following.title})", soft_wrap=True)
