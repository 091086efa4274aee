"""Lets processes spawned by a script import minipaddle as paddle: they inherit `sys.path`, but no finder.

So the path that `multiprocessing` gives them begins with this folder, which has a module ``paddle``. The
script's own `sys.path` is unchanged.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_HERE = os.path.dirname(__file__)
_SPAWN = "multiprocessing.spawn"


@contextmanager
def spawned_have_paddle() -> Iterator[None]:
    """Let `import paddle` mean minipaddle in each process that is spawned (not forked) within the ``with`` block."""
    finder = _Finder()
    if _SPAWN in sys.modules:
        finder.change(sys.modules[_SPAWN])
    else:
        sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        finder.change_back()


class _Finder(MetaPathFinder):
    """Finds `multiprocessing.spawn` as Python does, and changes the path that it gives to a process."""

    def __init__(self) -> None:
        self.module: ModuleType | None = None
        self.before: Any = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _SPAWN:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self.change(module)

            vars(spec.loader)["exec_module"] = exec_module
        return spec

    def change(self, module: ModuleType) -> None:
        """Put this folder first on the `sys.path` of spawned processes."""
        self.module, self.before = module, module.get_preparation_data

        def get_preparation_data(name: str) -> dict[str, Any]:
            data: dict[str, Any] = self.before(name)
            return data | {"sys_path": [_HERE, *data["sys_path"]]}

        vars(module)["get_preparation_data"] = get_preparation_data

    def change_back(self) -> None:
        """Undo :meth:`change`."""
        if self.module is not None:
            vars(self.module)["get_preparation_data"] = self.before
