"""The sources of one language, laid out for Sphinx as the repository is, so that links between files hold."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import nbformat

from docs.site import chinese, pictures
from docs.site.paths import HERE, ROOT, source
from docs.site.reference import pages as reference

_PAGES = ("*.md", "docs/*.md", "docs/*/*.md", "tutorials/README.md", "benchmarks/*.md")
_NOT_PAGES = {"docs/site", "docs/course"}
_PICTURES = ("docs/images/*.svg", "docs/gallery/**/*.svg", "docs/misconceptions/*.svg")
_TEMPLATE = "docs/decisions/0000-template.md"
_CHILDREN = {  # below which page others stand
    "docs/decisions/README.md": "[0-9]*",
    "docs/gallery/README.md": "textbook",
    "benchmarks/README.md": "RESULTS\nLINEAR\nTOOLS",
}
_OTHERS = "OTHERS"
"""In the index: the pages that it does not name itself."""
_IN_CHINESE = {"README.md": "README_cn.md"}  # pages that have a text of their own


def lay_out(folder: str, lessons: Mapping[str, nbformat.NotebookNode]) -> Path:
    """Fill the folder of one language with pages, pictures and lessons; return it. What was there before is gone."""
    place = source(folder)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for page in pages():
        own = _IN_CHINESE.get(page, page) if folder == "zh" else page
        _page(ROOT / own, place / page, folder)
    for page, below in _CHILDREN.items():
        with (place / page).open("a", encoding="utf-8") as file:
            file.write(f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{below}\n```\n")
    for pattern in _PICTURES:
        for picture in sorted(ROOT.glob(pattern)):
            name = picture.relative_to(ROOT)
            _copy(picture, place / name)
            _copy(picture, place / "extra" / name)  # for pages that show it by HTML
    if folder == "zh":
        pictures.draw_in_chinese(place, place / "extra")
    _page(HERE / ("index_cn.md" if folder == "zh" else "index.md"), place / "index.md", folder)
    index = place / "index.md"
    text = index.read_text(encoding="utf-8")
    others = [
        name.removesuffix(".md") for name in pages() if re.fullmatch(r"docs/[\w-]+(/README)?\.md", name)
    ]
    index.write_text(
        text.replace(_OTHERS, "\n".join(name for name in others if f"\n{name}\n" not in text)), "utf-8"
    )
    for stem, notebook in lessons.items():
        target = place / "tutorials" / f"{stem}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
    reference.write(place, folder)
    return place


def pages() -> list[str]:
    """Return the pages of the repository that the site shows, by their paths."""
    found = {path.relative_to(ROOT).as_posix() for pattern in _PAGES for path in ROOT.glob(pattern)}
    others = {_TEMPLATE, *_IN_CHINESE.values()}
    return sorted(
        name for name in found - others if not any(name.startswith(f"{room}/") for room in _NOT_PAGES)
    )


def _page(path: Path, target: Path, folder: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(chinese.page(path) if folder == "zh" else path.read_text("utf-8"), encoding="utf-8")


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
