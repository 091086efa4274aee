"""A tutorial as a notebook: its cells, and one for every command that its prose names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

_BEGIN = """\
import sys

from IPython.display import SVG
from minipaddle.compat.importer import install

install()  # `import paddle` is minipaddle from here on; without this line it is the real Paddle"""

_SECTION = re.compile(r"\n+(?=## )")
_COMMAND = re.compile(r"^ {4}minipaddle (?!run )(.*)$", re.M)


def notebook_of(script: str) -> str:
    """Return the text of an .ipynb. A command is typed below its section; what only the head names, at the end.

    Commands run the script anew, in a process of their own: a picture is that of the whole script.
    """
    import jupytext
    import nbformat

    v4: Any = nbformat.v4  # its functions have no types
    notebook = jupytext.reads(script, fmt="py:percent")
    head, *rest = notebook.cells
    cells = [head, v4.new_code_cell(_BEGIN)]
    for cell in rest:
        if cell.cell_type == "markdown":
            for section in _SECTION.split(cell.source):
                cells += [v4.new_markdown_cell(section), *map(v4.new_code_cell, _typed(section))]
        else:
            cells.append(cell)
    done = {cell.source for cell in cells}
    left = [typed for typed in _typed(head.source) if typed not in done]
    cells += [v4.new_markdown_cell("## What is left of the first cell"), *map(v4.new_code_cell, left)]
    for number, cell in enumerate(cells):
        cell.id, cell.metadata = f"cell-{number}", {}  # the same whenever it is made
    notebook.cells, notebook.metadata = cells, dict(_PYTHON)
    return str(jupytext.writes(notebook, fmt="ipynb"))


_PYTHON: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def _typed(prose: str) -> Iterator[str]:
    """Yield a cell of code for each command that prose names; a picture is shown, without what led to it."""
    for words in _COMMAND.findall(prose):
        command = f'!"{{sys.executable}}" -m minipaddle {words}'
        picture = next((name for option, name in pairwise(shlex.split(words)) if option == "-o"), None)
        yield command if picture is None else f'said = {command}\nSVG("{picture}")'
