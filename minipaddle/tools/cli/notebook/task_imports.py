"""A task solved in a notebook, imported by the next one: `from task1_value import Value` finds `task1_value.ipynb`."""

import json
import re
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

_TASK = re.compile(r"task\d+_\w+")
_MAGIC = re.compile(r"^\s*[%!]", re.M)


class Notebooks(MetaPathFinder):
    """Finds tasks that are notebooks here; of a notebook and a script of one name, the one that was saved last."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a task is, or None: as any other module."""
        notebook, script = Path(f"{fullname}.ipynb"), Path(f"{fullname}.py")
        if not _TASK.fullmatch(fullname) or not notebook.is_file():
            return None
        if script.is_file() and script.stat().st_mtime > notebook.stat().st_mtime:
            return None
        return spec_from_loader(fullname, _Code(notebook))


class _Code(SourceLoader):
    """The code of a notebook, as a module; cells with magics are left out."""

    def __init__(self, notebook: Path) -> None:
        self._notebook = notebook

    def get_filename(self, fullname: str) -> str:
        return str(self._notebook)

    def get_data(self, path: str | bytes) -> bytes:
        cells = json.loads(self._notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        return "\n\n".join(text for text in code if not _MAGIC.search(text)).encode()


_finder = Notebooks()


def find_notebooks() -> None:
    """From here on, import tasks from notebooks."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def forget_notebooks() -> None:
    """Import them no more."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
