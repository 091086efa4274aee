"""`make course`: the plan of four meetings, slides, handouts and keys, made of the pages in docs/course."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html import escape
from importlib.resources import as_file, files
from pathlib import Path

from docs.site import slides
from docs.site.paths import LANGUAGES, ROOT
from docs.site.scripts import pages, scripts
from docs.site.slides import Meeting, Part

COURSE = ROOT / "build" / "course"
MINUTES = 90
_WORDS = {
    "Plan of the course": "课程计划",
    "Minutes": "分钟",
    "Part": "环节",
    "Slides": "幻灯片",
    "slides": "幻灯片",
    "handout": "讲义",
    "key for the teacher": "教师用答案",
}


def main() -> None:
    """Build the kit in every language and say where it is."""
    shutil.rmtree(COURSE, ignore_errors=True)
    with as_file(files("sphinx_revealjs") / "_static" / "revealjs") as reveal:
        shutil.copytree(reveal / "dist", COURSE / "reveal", ignore=shutil.ignore_patterns("*.map", "*.esm.*"))
        shutil.copy(reveal / "plugin" / "notes" / "notes.js", COURSE / "reveal")
    sheets = [page for folder in LANGUAGES for page in _language(folder)]
    with ThreadPoolExecutor(2) as pool:
        missing = [page for page, done in zip(sheets, pool.map(_print, sheets)) if not done]
    print("\n".join(f"course: {COURSE / folder / 'index.html'}" for folder in LANGUAGES))
    if missing:
        sys.exit(f"course: {len(missing)} handouts have no PDF: a browser is needed, chromium")


def _language(folder: str) -> list[Path]:
    """Write scripts, pictures, slides, handouts and plan of a language; return the handouts and their keys."""
    place = COURSE / folder
    place.mkdir(parents=True)
    for name, code in scripts().items():
        _write(place / name, code)
    draw(place, folder)
    sheets, meetings = [], slides.meetings(folder)
    for meeting in meetings:
        _write(place / f"{meeting.stem}.slides.html", slides.deck(meeting, folder))
        sheets.append(_write(place / f"{meeting.stem}.html", slides.handout(meeting, folder)))
        sheets.append(_write(place / f"{meeting.stem}.key.html", slides.handout(meeting, folder, key=True)))
    _write(place / "index.html", plan(meetings, folder))
    return sheets


def draw(place: Path, folder: str) -> None:
    """Draw the pictures of all slides beside their scripts.

    Raises:
        CalledProcessError: if a command fails.
    """
    found = slides.drawings("".join(page.read_text(encoding="utf-8") for page in pages()))
    for name, command in found.items():
        words = [sys.executable, "-m", "minipaddle", *shlex.split(command), "--lang", folder, "-o", name]
        subprocess.run(words, cwd=place, check=True, capture_output=True)


def plan(meetings: list[Meeting], folder: str) -> str:
    """Return the page of the course: for each meeting what to bring and to show, and its parts with their minutes."""
    told = [f"<h1>{_word('Plan of the course', folder)}</h1>"]
    head = "".join(f"<th>{_word(word, folder)}</th>" for word in ("Minutes", "Part", "Slides"))
    for meeting in meetings:
        links = " · ".join(
            f"<a href='{meeting.stem}{suffix}'>{_word(word, folder)}</a>"
            for suffix, word in (
                (".slides.html", "slides"),
                (".pdf", "handout"),
                (".key.pdf", "key for the teacher"),
            )
        )
        told += [f"<h2>{escape(meeting.title)}</h2><p>{links}</p>", *map(slides.html, meeting.preface)]
        rows = "".join(
            f"<tr><td>{start}–{end}</td><td>{slides.inline(part.title)}</td><td>{first}–{last}</td></tr>"
            for part, start, end, first, last in timetable(meeting)
        )
        told.append(f"<table><tr>{head}</tr>{rows}</table>")
    return slides.page(_word("Plan of the course", folder), "\n".join(told), folder)


def timetable(meeting: Meeting) -> list[tuple[Part, int, int, int, int]]:
    """Return of each part from which minute to which it is taught, and from which slide to which."""
    rows: list[tuple[Part, int, int, int, int]] = []
    start, first = 0, 2  # the first slide is the title
    for part in meeting.parts:
        begin = rows[-1][1] if part.instead else start
        start, last = begin + sum(slide.minutes for slide in part.slides), first + len(part.slides) - 1
        rows.append((part, begin, start, first, last))
        first = last + 1
    return rows


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
