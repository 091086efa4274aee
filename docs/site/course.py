"""`make course`: a plan for four meetings, slides, handouts, misconceptions, all from the lessons themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

import jupytext
import nbformat
from markdown_it import MarkdownIt

from docs.site import chinese, lessons, slides
from docs.site.misconceptions import ROOM, catalogue
from docs.site.paths import LANGUAGES, ROOT

COURSE = ROOT / "build" / "course"
MINUTES = 90
EACH_BELIEF = 3  # minutes for one misconception
_TIME = re.compile(r"\*\*(?:Time:\*\*|时间\*\*[:：])\s*(\d+)")
_ASKED = re.compile(r"\*\*(?:Guess:\*\*|猜一猜\*\*[:：])(.*?)(?=\n\n|\Z)", re.DOTALL)
_PROSE = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class Meeting:
    """What one meeting of 90 minutes is about: numbers of lessons, numbers of misconceptions."""

    title: str
    chinese: str
    lessons: tuple[int, ...]
    beliefs: tuple[int, ...]


PLAN = (
    Meeting("A tape, and the walk back", "记录带，以及往回走", (1, 2, 14), (1, 3, 4, 5)),
    Meeting("A gradient of your own", "自己写一个梯度", (3, 13, 15), (8, 10, 13)),
    Meeting("A Program writes its gradient", "Program 写出自己的梯度", (5, 6, 7), (14,)),
    Meeting("Why it does not learn", "为什么学不会", (16, 11, 12), (2, 9, 11)),
)
_WORDS = {
    "Plan of the course": "课程计划",
    "Meeting": "第几次课",
    "minutes": "分钟",
    "left for tasks": "分钟留给练习",
    "Lesson": "课",
    "Misconceptions": "误解",
    "At home": "课后自学",
    "slides": "幻灯片",
    "handout": "讲义",
    "Questions": "问题",
    "Tasks": "练习",
    "What many believe": "许多人以为",
    "Guess": "猜一猜",
    "points": "分",
}


def main() -> None:
    """Build the kit in every language and say where it is."""
    shutil.rmtree(COURSE, ignore_errors=True)
    with as_file(files("sphinx_revealjs") / "_static" / "revealjs" / "dist") as reveal:
        shutil.copytree(reveal, COURSE / "reveal", ignore=shutil.ignore_patterns("*.map", "*.esm.*"))
    sheets = [page for folder in LANGUAGES for page in _language(folder)]
    with ThreadPoolExecutor(2) as pool:
        missing = [page for page, done in zip(sheets, pool.map(_print, sheets)) if not done]
    print("\n".join(f"course: {COURSE / folder / 'index.html'}" for folder in LANGUAGES))
    if missing:
        sys.exit(f"course: {len(missing)} handouts have no PDF: a browser is needed, chromium")


def _language(folder: str) -> list[Path]:
    """Write slides, handouts, catalogue and plan of a language; return the handouts."""
    notebooks = lessons.run_all(folder)
    place = COURSE / folder
    place.mkdir(parents=True)
    handouts = []
    for stem, notebook in notebooks.items():
        _write(place / f"{stem}.slides.html", slides.of_lesson(title_of(notebook), notebook, folder))
        handouts.append(_write(place / f"{stem}.html", handout(stem, notebook, folder)))
    _write(
        place / "misconceptions.slides.html",
        slides.of_beliefs(_word("What many believe", folder), catalogue(), folder),
    )
    for file in (*ROOM.glob("*.svg"), *ROOM.glob("*.py")):
        shutil.copy(file, place)
    _write(place / "index.html", plan(notebooks, folder))
    return handouts


def title_of(notebook: nbformat.NotebookNode) -> str:
    """Return the title of a lesson, with its number."""
    return str(notebook.cells[0].source.partition("\n")[0].lstrip("# "))


def minutes_of(notebook: nbformat.NotebookNode) -> int:
    """Return how long a lesson takes, as its head says."""
    found = _TIME.search(notebook.cells[0].source)
    if found is None:
        raise ValueError(f"{title_of(notebook)}: its head says no time")
    return int(found[1])


def questions(notebook: nbformat.NotebookNode) -> list[str]:
    """Return what a lesson asks before it answers."""
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return [" ".join(asked.split()) for asked in _ASKED.findall(prose)]


def tasks(stem: str, folder: str) -> Iterator[str]:
    """Yield the statements of a lesson's tasks."""
    room = ROOT / "tutorials" / "tasks"
    for file in sorted((room / stem[:2]).glob("task*.py")):
        if file.name.endswith(".check.py"):
            continue
        text = file.read_text(encoding="utf-8")
        if folder == "zh":
            text = chinese.script(text, room / file.name)
        yield str(jupytext.reads(text, fmt="py:percent").cells[0].source)


def handout(stem: str, notebook: nbformat.NotebookNode, folder: str) -> str:
    """Return the sheet of a lesson: goals, questions with room for an answer, tasks, summary."""
    asked = "".join(
        f"<li>{_PROSE.renderInline(one)}<div class='room'></div></li>" for one in questions(notebook)
    )
    set_ = [_PROSE.render(re.sub(r"^# ", "### ", one)) for one in tasks(stem, folder)]
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    said = next((one for one in reversed(prose) if re.search(r"\*\*(Summary|总结|小结)", one)), "")
    parts = [
        _PROSE.render(notebook.cells[0].source),
        f"<h2>{_word('Questions', folder)}</h2><ol>{asked}</ol>",
        f"<h2>{_word('Tasks', folder)}</h2>{''.join(set_)}" if set_ else "",
        _PROSE.render(said),
    ]
    return slides.page(title_of(notebook), "\n".join(parts), folder)


def plan(notebooks: dict[str, nbformat.NotebookNode], folder: str) -> str:
    """Return the page of the course: what is done in which meeting, and what is left for home."""
    by_number = {int(stem[:2]): (stem, notebook) for stem, notebook in notebooks.items()}
    told = [f"<h1>{_word('Plan of the course', folder)}</h1>"]
    for number, meeting in enumerate(PLAN, 1):
        used = taken(meeting, {one: minutes_of(notebook) for one, (_, notebook) in by_number.items()})
        title = meeting.chinese if folder == "zh" else meeting.title
        told.append(f"<h2>{number}. {escape(title)}</h2>")
        told.append(f"<p>{used} + {MINUTES - used} {_word('left for tasks', folder)}</p><ul>")
        told += [_line(*by_number[one], folder) for one in meeting.lessons]
        chosen = ", ".join(map(str, meeting.beliefs))
        told.append(
            f"<li><a href='misconceptions.slides.html'>{_word('Misconceptions', folder)}</a> {chosen}</li></ul>"
        )
    home = [one for one in by_number if not any(one in meeting.lessons for meeting in PLAN)]
    told.append(f"<h2>{_word('At home', folder)}</h2><ul>")
    told += [*(_line(*by_number[one], folder) for one in home), "</ul>"]
    return slides.page(_word("Plan of the course", folder), "\n".join(told), folder)


def taken(meeting: Meeting, minutes: dict[int, int]) -> int:
    """Return how long the lessons and the misconceptions of a meeting take."""
    return sum(minutes[one] for one in meeting.lessons) + EACH_BELIEF * len(meeting.beliefs)


def _line(stem: str, notebook: nbformat.NotebookNode, folder: str) -> str:
    links = " · ".join(
        f"<a href='{stem}{suffix}'>{word}</a>"
        for suffix, word in (
            (".slides.html", _word("slides", folder)),
            (".html", _word("handout", folder)),
            (".pdf", "PDF"),
        )
    )
    title = _PROSE.renderInline(title_of(notebook))
    return f"<li>{title} ({minutes_of(notebook)} {_word('minutes', folder)}): {links}</li>"


def _word(word: str, folder: str) -> str:
    return _WORDS[word] if folder == "zh" else word


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _print(page: Path) -> bool:
    """Print a page into a PDF beside it; return whether there is one."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    target = page.with_suffix(".pdf")
    if browser:
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-pdf-header-footer",
        ]
        command = [browser, *flags, f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(command, check=False, capture_output=True, timeout=120)
    return target.is_file()


if __name__ == "__main__":
    main()
