"""The examples in the docstrings of an installed Paddle: found by reading its source, never copied into ours."""

import ast
import json
import re
import subprocess
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^( *)\.\. code-block:: *(?:python|pycon) *$", re.MULTILINE)
DIRECTIVE = re.compile(r"# *doctest: *([+-])(SKIP|REQUIRES)")
"""What says that a statement, or what follows a line, does not run on a bare CPU."""
WHERE = """
import importlib.metadata, importlib.util, json
print(json.dumps([importlib.util.find_spec("paddle").submodule_search_locations[0],
                  importlib.metadata.version("paddlepaddle")]))
"""


@dataclass(frozen=True)
class Part:
    """Some lines of an example, and what the documentation says that they print."""

    source: str
    wanted: str


@dataclass(frozen=True)
class Example:
    """One block of code in one docstring: `name` says whose, as ``paddle.nn.layer.common.Linear``."""

    name: str
    parts: tuple[Part, ...]


def installed(python: str) -> tuple[Path, str]:
    """Return the folder and the version of the Paddle that an interpreter has.

    Raises:
        subprocess.CalledProcessError: it has none.
    """
    said = subprocess.run([python, "-c", WHERE], check=True, capture_output=True, text=True).stdout
    folder, version = json.loads(said)
    return Path(folder), version


def examples(folder: Path) -> list[Example]:
    """Return every example below a folder that has a statement which runs on a CPU, in the order of their names."""
    found = [
        example
        for path in sorted(folder.rglob("*.py"))
        for name, text in _docstrings(path, folder)
        for example in _examples_in(name, text)
    ]
    return sorted(found, key=lambda example: example.name)


def _docstrings(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    module = ".".join(("paddle", *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
    pending: list[tuple[str, ast.AST]] = [(module, ast.parse(path.read_text(encoding="utf-8")))]
    while pending:
        name, node = pending.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            text := ast.get_docstring(node)
        ):
            yield name, text
        for child in ast.iter_child_nodes(node):
            pending.append((f"{name}.{child.name}" if hasattr(child, "name") else name, child))


def _examples_in(name: str, text: str) -> Iterator[Example]:
    if ">>>" not in text:
        return
    starts = list(BLOCK.finditer(text))
    blocks = [_indented(text[start.end() :], len(start[1])) for start in starts] if starts else [text]
    for number, block in enumerate((block for block in blocks if ">>>" in block), 1):
        parts = tuple(parts_of(block))
        if any(not _only_imports(part.source) for part in parts):
            yield Example(name if number == 1 else f"{name}#{number}", parts)


def _indented(text: str, margin: int) -> str:
    """Return the lines that stand further to the right than `margin`, up to the first that does not."""
    lines = text.split("\n")[1:]
    ends = (at for at, line in enumerate(lines) if line.strip() and len(line) - len(line.lstrip()) <= margin)
    return textwrap.dedent("\n".join(lines[: next(ends, len(lines))]))


def parts_of(block: str) -> Iterator[Part]:
    r"""Split a console session where it prints, and leave out what needs a device or other processes.

    A directive that stands alone holds for what follows it, one at the end of a line for this statement.

    >>> list(parts_of(">>> print(1 +\n...   2)\n3\n>>> x # doctest: +SKIP('y')\n>>> f()"))
    [Part(source='print(1 +\n  2)', wanted='3'), Part(source='f()', wanted='')]
    """
    skipped: set[str] = set()
    source: list[str] = []
    wanted: list[str] = []
    for line in [*block.split("\n"), ">>> "]:
        text = line.strip()
        if text.startswith(">>>") and wanted:
            yield from _part(source, wanted)
            source, wanted = [], []
        if text.startswith((">>>", "...")) and not wanted:
            if alone := DIRECTIVE.match(text[4:].strip()):
                skipped = skipped | {alone[2]} if alone[1] == "+" else skipped - {alone[2]}
            source += [] if skipped else [text[4:]]
        elif (text or wanted) and not skipped and not text.startswith("#"):
            wanted.append(line)
    yield from _part(source, wanted)


def _part(source: list[str], wanted: list[str]) -> Iterator[Part]:
    text = "\n".join(source)
    if DIRECTIVE.search(text):
        text = "\n".join(_unskipped(text))
    if text.strip():
        yield Part(text, textwrap.dedent("\n".join(wanted)).strip())


def _unskipped(text: str) -> Iterator[str]:
    """Return the statements that have no directive to skip them at the end of a line."""
    for statement in ast.parse(text).body:
        source = "\n".join(text.split("\n")[statement.lineno - 1 : statement.end_lineno])
        if not DIRECTIVE.search(source):
            yield source


def _only_imports(source: str) -> bool:
    """Whether there is nothing in a text but imports and comments."""
    try:
        return all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(source).body)
    except SyntaxError:
        return False
