"""Import paths of Paddle's own files: ``paddle.tensor.math.add`` is ``paddle.add``.

Scripts import a name from the file where Paddle defines it. minipaddle's files differ; a table (engine/names/tables)
maps each of Paddle's to the modules of minipaddle with its names. A missing file becomes a module when a script imports
it, and gets every name through the table, too; existing files look there for missing names
(:mod:`minipaddle.engine.names.missing`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from minipaddle.engine.names.missing import ELSEWHERE, ROOT, heads_of, missing, paddle_name

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc takes as long to import as a tenth of minipaddle

FRONTS = {path: fronts.split() for path, fronts in heads_of("paths").items()}
"""The modules with the names of each path: the first one that has a name counts."""


def found(module: str, name: str) -> Any:
    """Return the object of `name` in the Paddle file with our name `module`.

    Raises:
        AttributeError: nothing here has this path.
    """
    path = f"{module}.{name}"
    if _below(path) in FRONTS:
        return import_module(path)
    for front in _fronts(module):
        if name in _offered(front) and not isinstance(value := getattr(front, name), ModuleType):
            return value
    raise AttributeError(path)


def offered(module: str) -> list[str]:
    """Return the names of a Paddle file by the table, sorted."""
    names = {(front, name) for front in _fronts(module) for name in _offered(front)}
    return sorted({name for front, name in names if not isinstance(getattr(front, name), ModuleType)})


def _fronts(module: str) -> list[ModuleType]:
    return [import_module(f"minipaddle.{front}") for front in FRONTS.get(_below(module), ())]


def _below(module: str) -> str:
    """Return the name of a Paddle file, without its ``paddle.``; "" for other modules."""
    return module.removeprefix(f"{ROOT}.") if module.startswith(f"{ROOT}.") else ""


def _offered(module: ModuleType) -> Collection[str]:
    listed: Collection[str] = vars(module).get("__all__", vars(module))
    return listed


class _Finder(Loader):
    """Finds the paths in the table that no file has, by making modules for them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if _below(fullname) in FRONTS else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: Python's default."""

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        otherwise = missing(name, ())

        def getattr_of_module(asked: str) -> Any:
            return offered(name) if asked == "__all__" else otherwise(asked)

        vars(module)["__getattr__"] = getattr_of_module
        module.__doc__ = f"Paddle's file {paddle_name(name)}; its names have other places here."


def install() -> None:
    """Let Python's import find the paths of the table, after its own finders, and missing names elsewhere."""
    sys.meta_path.append(_Finder())
    ELSEWHERE.append((found, offered))
