"""The pages of the reference, written into the sources of one language."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from docs.site.reference.entry import entry
from docs.site.reference.example import Example, example
from docs.site.reference.modules import pages
from minipaddle.engine.operator.operator import Operator
from minipaddle.tools.explain.catalogue import find, names
from minipaddle.tools.words.language import speak

_INTRO = (
    "Every public name, from its docstring; formulas and gradients are read off the operators themselves. "
    "In a rule `dy` is the gradient of the result."
)
_CHINESE = {
    "Reference": "参考",
    _INTRO: "每个公开的名字，内容来自它的文档字符串；公式和梯度直接从算子的定义读出。规则里的 `dy` 是结果的梯度。",
    "Operator": "算子",
    "dtypes": "数据类型",
    "Example": "例子",
    "Computes": "计算",
    "Gradient of": "梯度：",
    "keeps": "保存",
    "No gradient.": "没有梯度。",
    "The gradient of": "梯度图：",
    "Methods": "方法",
    "As a function:": "作为函数：",
    "In Paddle": "Paddle 的文档",
    "Source": "源代码",
}


def write(place: Path, folder: str) -> int:
    """Write every page and the picture of every operator below `place`; return how many names they show."""
    room = place / "reference"
    (room / "pictures").mkdir(parents=True, exist_ok=True)
    words = (lambda word: _CHINESE[word]) if folder == "zh" else (lambda word: word)
    functions = _operators()
    speak(folder)
    shown = 0
    listed = []
    for page in pages():
        lines = [f"# {page.title}", ""]
        for name, value in page.names:
            op = functions.get(id(value))
            lines += entry(name, value, op, made_of(op), _picture(op, room), words)
        (room / f"{page.file}.md").write_text("\n".join(lines), encoding="utf-8")
        listed.append(page.file)
        shown += len(page.names)
    (room / "index.md").write_text(_index(listed, words), encoding="utf-8")
    speak("en")
    return shown


def _index(files: list[str], words: Any) -> str:
    said = words(_INTRO)
    return "\n".join(
        [f"# {words('Reference')}", "", said, "", "```{toctree}", ":maxdepth: 1", "", *files, "```", ""]
    )


@cache
def _operators() -> dict[int, Operator]:
    """Return the operator behind each public function: the function that goes by the operator's own name."""
    homes = [importlib.import_module(f"minipaddle.paddle{room}") for room in ("", ".nn.functional")]
    found: dict[int, Operator] = {}
    for name in names():
        op = find(name)
        for home in homes:
            value = getattr(home, name, None)
            if op is not None and callable(value) and not isinstance(value, type):
                found.setdefault(id(value), op)
    return found


@cache
def made_of(op: Operator | None) -> Example | None:
    """Return the example of an operator, if it has one that can be called."""
    return None if op is None else example(op)


def _picture(op: Operator | None, room: Path) -> str:
    made = made_of(op)
    svg = made.svg if made is not None else ""
    if op is None or not svg:
        return ""
    name = f"pictures/{op.type}.svg"
    (room / name).write_text(svg, encoding="utf-8")
    return name
