"""A page in Chinese, as far as its `.po` file goes; its headings keep the anchors of the English page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from docs.site.paths import ROOT
from minipaddle.tools.words.language import entries
from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese


def page(path: Path) -> str:
    """Return the text of a page of the repository in Chinese, or as it is if nobody translated it."""
    text, known = path.read_text(encoding="utf-8"), translation(path)
    return markdown_in_chinese(text, known) if known else text


def script(text: str, path: Path) -> str:
    """Return a percent script with its prose in Chinese, as the `.po` file for `path` says."""
    return script_in_chinese(text, translation(path))


def translation(path: Path) -> dict[str, str]:
    """Return what the `.po` file beside a page or a lesson says, by the English text."""
    file = path.parent / "locale" / "zh_CN" / f"{path.stem}.po"
    return _entries(file) if file.is_file() else {}


def slug(title: str) -> str:
    """Return the anchor of a heading: of a Chinese one that of the English heading that it stands for."""
    from myst_parser.slugs import github_slugify  # of the extra `site`; pages in Chinese do without

    return github_slugify(_english().get(title, title))


@cache
def _english() -> dict[str, str]:
    """Return the English text of every translated unit of a page, without marks, by the Chinese one."""
    files = sorted(
        path for room in ("docs", "tutorials") for path in ROOT.glob(f"{room}/**/locale/zh_CN/*.po")
    )
    told = [pair for file in files for pair in _entries(file).items()]
    return {_plain(said): _plain(unit) for unit, said in reversed(told)}


def _entries(file: Path) -> dict[str, str]:
    told = entries(file.read_text(encoding="utf-8"))
    return {unit: said for unit, said in told.items() if unit and said}


def _plain(unit: str) -> str:
    return unit.replace("`", "").replace("*", "")
