"""A sheet of the course: a percent script that a reader is given, with its prose in two languages."""

import re
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable

from minipaddle.tools.words.language import entries, language
from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese

_WIDTH = 110
_CELL = re.compile(r"^# %%(.*)$", re.M)


@dataclass(frozen=True)
class Sheet:
    """A script, the lesson that it belongs to, and where its Chinese stands."""

    lesson: int
    file: Traversable
    translation: Traversable
    """Its texts in Chinese: ``locale/zh_CN/task1_cube.po`` in the folder of all tasks; it may be missing."""

    @property
    def name(self) -> str:
        """Its file's name: ``task1_cube.py``."""
        return self.file.name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return self.name.removesuffix(".py")

    @property
    def place(self) -> str:
        """Where it is written for a reader: ``03/task1_cube.py``."""
        return f"{self.lesson:02}/{self.name}"

    @cached_property
    def original(self) -> str:
        """Its text, in English."""
        return self.file.read_text(encoding="utf-8")

    @property
    def text(self) -> str:
        """Its text, with prose in the reader's language."""
        spoken = language() == "zh"
        return script_in_chinese(self.original, self._chinese, _WIDTH) if spoken else self.original

    @property
    def title(self) -> str:
        """The first line of the first cell, without its mark."""
        return self._prose.partition("\n")[0].removeprefix("# ")

    @property
    def statement(self) -> str:
        """What the first cell says below its title."""
        return self._prose.partition("\n")[2].strip("\n")

    def said(self, sentence: str) -> str:
        """Return a sentence that belongs to it in the reader's language."""
        return (self._chinese.get(sentence) or sentence) if language() == "zh" else sentence

    @property
    def _prose(self) -> str:
        """The first cell as markdown in the reader's language, every paragraph on one line."""
        parts = _CELL.split(self.original)
        lines = parts[2].strip("\n").splitlines() if len(parts) > 2 else []
        text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines)
        return markdown_in_chinese(text, self._chinese if language() == "zh" else {})

    @cached_property
    def _chinese(self) -> dict[str, str]:
        if not self.translation.is_file():
            return {}
        return entries(self.translation.read_text(encoding="utf-8"))
