"""The repository's own files as pages to read, one set for all languages: `build/site/code`."""

from __future__ import annotations

import ast
import html
import subprocess
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from docs.site.paths import BUILT, ROOT

_ROOMS = ("minipaddle", "tutorials", "docs", "tests", "benchmarks", ".ci")
_TEXTS = {".py", ".md", ".toml", ".txt", ".sh", ".po", ".dot", ".css", ".js", ""}
_LARGEST = 300_000  # bytes: recorded answers are not read

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><link rel="stylesheet" href="{up}code.css"></head>
<body><nav aria-label="path"><a href="{up}../en/index.html">minipaddle</a> {path}</nav>
<main><h1>{title}</h1>
{body}
</main></body></html>
"""


def address(name: str) -> str:
    """Return where a file or folder of the repository is shown, from the top of the site; a name ends in no slash.

    >>> address("Makefile")
    'code/Makefile.html'
    """
    folder = (ROOT / name).is_dir()
    return f"code/{name}/index.html" if folder else f"code/{name}.html"


def write_all() -> int:
    """Write a page for every text file that is under version control, and one for each folder; return how many."""
    files = [ROOT / name for name in _tracked()]
    folders = {parent for file in files for parent in file.parents if parent.is_relative_to(ROOT)} - {ROOT}
    for file in files:
        _write(file, _highlighted(file))
    for folder in folders:
        _write(folder, _listing(folder, files, folders))
    target = BUILT / "code" / "code.css"
    target.write_text(_style(), encoding="utf-8")
    return len(files) + len(folders)


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [
        name
        for name in listed
        if name
        and (name.split("/")[0] in _ROOMS or "/" not in name)
        and (ROOT / name).suffix in _TEXTS
        and (ROOT / name).is_file()
        and (ROOT / name).stat().st_size <= _LARGEST
    ]


def _write(path: Path, body: str) -> None:
    name = path.relative_to(ROOT).as_posix()
    target = BUILT / address(name)
    up = "../" * (target.relative_to(BUILT / "code").as_posix().count("/"))
    parts = name.split("/")[:-1]
    path_links = " / ".join(
        f'<a href="{up}{"/".join(parts[: depth + 1])}/index.html">{html.escape(part)}</a>'
        for depth, part in enumerate(parts)
    )
    page = _PAGE.format(
        title=html.escape(name), up=up, path=f"/ {path_links}" if path_links else "", body=body
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")


def _highlighted(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = TextLexer()
    shown = highlight(text, lexer, HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=False))
    return shown.replace("<pre>", '<pre tabindex="0">')


def _listing(folder: Path, files: list[Path], folders: set[Path]) -> str:
    rows = [
        f'<tr><td><a href="{_beside(inner)}">{html.escape(inner.name)}{"/" if inner in folders else ""}</a></td>'
        f"<td>{html.escape(_first_line(inner))}</td></tr>"
        for inner in sorted({*files, *folders}, key=lambda path: (path not in folders, path.name))
        if inner.parent == folder
    ]
    return f"<table>{''.join(rows)}</table>"


def _beside(inner: Path) -> str:
    return f"{inner.name}/index.html" if inner.is_dir() else f"{inner.name}.html"


def _first_line(path: Path) -> str:
    file = path / "__init__.py" if path.is_dir() else path
    if file.suffix != ".py" or not file.is_file():
        return ""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    return (said or "").partition("\n")[0]


def _style() -> str:
    light = HtmlFormatter(style="a11y-high-contrast-light").get_style_defs(".highlight")
    dark = HtmlFormatter(style="a11y-high-contrast-dark").get_style_defs(".highlight")
    own = (ROOT / "docs" / "site" / "static" / "code.css").read_text(encoding="utf-8")
    return f"{own}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
