"""The pages that are translated, and their ``.po`` files; run it, and each file has an entry for every paragraph.

``python -m tests.support.translations`` (``make words``) writes README_cn.md anew. In the ``.po`` files it keeps what
is translated, writes an empty entry for what is new, and marks as fuzzy what stood for a paragraph that was reworded:
read it, mend it, take the mark away.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from minipaddle.tools.course.claims import asks_the_student
from minipaddle.tools.course.lessons import WIDTH
from minipaddle.tools.words.language import entries
from minipaddle.tools.words.prose import markdown_in_chinese, script_in_chinese
from tests.support.process import ROOT

__all__ = ["Page", "pages", "readme_in_chinese"]

DOCS = (
    *(
        "architecture",
        "glossary",
        "graph",
        "debugger",
        "editors",
        "questions",
        "programs",
        "notebook",
        "course",
    ),
    *("custom-gradients", "outgrow", "install", "browser", "your-tape"),
    *("extending/README", "gallery/README", "misconceptions/README"),
    *(f"course/meeting_{number}" for number in range(1, 5)),
)
"""The pages of docs/ that are there in Chinese."""

_HEADER = """\
# {name} in simplified Chinese, a paragraph an entry; `make words` brings it up to date.
msgid ""
msgstr ""
"Language: zh_CN\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""
_FUZZY = "#, fuzzy\n"
_ALIKE = 0.6


def sentences_of(text: str) -> list[str]:
    """Return what a grader says to students, each once: hints, claims, and the mistakes that they name.

    They stand as they are in the text, which is how they are found: for their translation.
    """
    found: list[str] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HINTS":
            found += _texts(node.value)
        elif isinstance(node, ast.FunctionDef) and not asks_the_student(node):
            found += [text for part in node.decorator_list for text in _texts(part)]
            answers = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
            found += [text for answer in answers for text in _texts(answer)]
    return list(dict.fromkeys(found))


def _texts(node: ast.AST) -> list[str]:
    """Return the texts in a piece of code that are sentences: what is given to `ask` and `close` is none."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and ast.unparse(node.func) != "claim"):
        return []
    return [text for part in ast.iter_child_nodes(node) for text in _texts(part)]


class _Asked(Mapping[str, str]):
    """Has no translation, but keeps each text that one is asked for."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}

    def __getitem__(self, text: str) -> str:
        self.texts[text] = None
        raise KeyError(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def units_of(text: str, is_script: bool = False) -> list[str]:
    """Return the units of prose of a markdown text or a percent script, each once, in their order."""
    asked = _Asked()
    (script_in_chinese if is_script else markdown_in_chinese)(text, asked)
    return list(asked)


@dataclass(frozen=True)
class Page:
    """A file whose prose is translated, and the file that has the translation."""

    source: Path
    po: Path

    @cached_property
    def units(self) -> list[str]:
        """Its paragraphs, each once, in their order; of a task also what its grader says."""
        text = self.source.read_text(encoding="utf-8")
        units = units_of(text, self.source.suffix == ".py")
        grader = self.source.with_name(f"{self.source.stem}.check.py")
        if grader.exists():
            units += sentences_of(grader.read_text(encoding="utf-8"))
        return list(dict.fromkeys(units))

    @cached_property
    def text(self) -> str:
        """What the ``.po`` file says, or nothing."""
        return self.po.read_text(encoding="utf-8") if self.po.exists() else ""

    @cached_property
    def chinese(self) -> dict[str, str]:
        """The translation of each paragraph that has one."""
        return {unit: said for unit, said in entries(self.text).items() if unit and said}


def pages() -> list[Page]:
    """Return every page that is there in Chinese."""
    tutorials, docs = ROOT / "tutorials", ROOT / "docs"
    sources = [*sorted(tutorials.glob("[0-9]*.py")), tutorials / "README.md"]
    sources += [docs / f"{name}.md" for name in DOCS]
    readme = Page(ROOT / "README.md", docs / "locale" / "zh_CN" / "README.po")
    tasks = [file for file in sorted(tutorials.glob("tasks/*/*.py")) if file.suffixes == [".py"]]
    return (
        [readme]
        + [
            Page(task, tutorials / "tasks" / "locale" / "zh_CN" / task.with_suffix(".po").name)
            for task in tasks
        ]
        + [
            Page(source, source.parent / "locale" / "zh_CN" / source.with_suffix(".po").name)
            for source in sources
        ]
    )


def readme_in_chinese() -> str:
    """Return what README_cn.md ought to be: README.md, translated."""
    readme = pages()[0]
    return markdown_in_chinese(readme.source.read_text(encoding="utf-8"), readme.chinese, WIDTH)


def updated(page: Page) -> str:
    """Return the text that the ``.po`` file of a page ought to have."""
    units, known = page.units, entries(page.text.replace(_FUZZY, ""))
    unsure = {unit for unit in known if unit not in entries(page.text)}
    left = [unit for unit in known if unit and unit not in units and known[unit]]
    told = [_HEADER.format(name=page.source.relative_to(ROOT).as_posix())]
    for unit in units:
        close = [] if unit in known else get_close_matches(unit, left, 1, _ALIKE)
        left = [one for one in left if one not in close]
        mark = _FUZZY if close or unit in unsure else ""
        told.append(_entry(mark, unit, known[close[0]] if close else known.get(unit, "")))
    return "\n".join(told)


def _entry(mark: str, unit: str, said: str) -> str:
    return f"{mark}msgid {_quoted(unit)}\nmsgstr {_quoted(said)}\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main(names: Iterable[str]) -> None:
    """Bring the files up to date, of all pages or of those whose name has one of `names` in it."""
    wanted = list(names)
    for page in pages():
        if not wanted or any(name in page.source.name for name in wanted):
            page.po.parent.mkdir(parents=True, exist_ok=True)
            page.po.write_text(updated(page), encoding="utf-8")
    (ROOT / "README_cn.md").write_text(readme_in_chinese(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
