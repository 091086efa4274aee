"""Whether the site that was built is whole: its links, its search, its notebooks and wheels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from docs.site.lessons import TUTORIALS
from docs.site.paths import BUILT, LANGUAGES
from minipaddle.tools.course import tasks

_LINK = re.compile(r'(?:href|src)="(?!https?:|data:|mailto:|#|javascript:)([^"#?]+)')
_STEMMER = re.compile(r"window\.Stemmer = (\w+);")
_WORD = {"en": "gradient", "zh": "梯度"}


def faults() -> list[str]:
    """Return what is wrong with the site, a line each."""
    return [*_links(), *_search(), *_lite()]


def _links() -> Iterator[str]:
    for folder in LANGUAGES:
        for page in sorted((BUILT / folder).rglob("*.html")):
            for target in sorted(set(_LINK.findall(page.read_text(encoding="utf-8")))):
                if not (page.parent / unquote(target)).exists():
                    yield f"{page.relative_to(BUILT)} leads to {target}, which is not there"


def _search() -> Iterator[str]:
    for folder, word in _WORD.items():
        index = (BUILT / folder / "searchindex.js").read_text(encoding="utf-8")
        stem = json.dumps(word[:6]).rstrip('"')  # the index has stems, and escapes what is not ASCII
        if stem not in index and word not in index:
            yield f"the search of {folder} does not know {word}"
        script = (BUILT / folder / "_static" / "language_data.js").read_text(encoding="utf-8")
        for stemmer in _STEMMER.findall(script):
            if f"var {stemmer}=" not in script:
                yield f"the search of {folder} needs {stemmer}, which is not there"


def _lite() -> Iterator[str]:
    lite = BUILT / "lite"
    known = json.loads((lite / "pypi" / "all.json").read_text(encoding="utf-8"))
    yield from (
        f"no wheel of {name}" for name in ("minipaddle", "rich", "typer", "graphviz") if name not in known
    )
    for folder in LANGUAGES:
        written = {path.stem for path in (lite / "files" / folder).rglob("*.ipynb")}
        wanted = {path.stem for path in TUTORIALS.glob("[0-9]*.py")} | {task.stem for task in tasks()}
        yield from (f"no notebook of {name} ({folder})" for name in sorted(wanted - written))


def size(room: Path) -> int:
    """Return how many megabytes a folder has."""
    return sum(path.stat().st_size for path in room.rglob("*") if path.is_file()) >> 20
