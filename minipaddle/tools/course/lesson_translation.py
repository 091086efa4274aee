"""Lessons in Chinese: each has a ``.po`` file in ``locale/zh_CN`` beside it, by the name of its own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable

from minipaddle.tools.words.language import entries, language

WIDTH = 100
"""Cells of a line of prose in a script: a Chinese character takes two."""


def chinese_of(folder: Traversable, stem: str) -> Mapping[str, str]:
    """Return the translation of each text of a file, or nothing where English is spoken, or nobody translated it."""
    file = folder / "locale" / "zh_CN" / f"{stem}.po"
    return _translated(file.read_text(encoding="utf-8")) if language() == "zh" and file.is_file() else {}


@cache
def _translated(po: str) -> dict[str, str]:
    return {text: said for text, said in entries(po).items() if text and said}
