"""`import paddle` gives minipaddle: ``paddle.x.y`` is the module ``minipaddle.paddle.x.y`` itself.

A finder placed before Python's own handles the name ``paddle`` and everything below it. So an installed Paddle
is never imported, nor a folder that happens to be called ``paddle``. Processes that a script spawns inherit `sys.path`,
but no finder: the path that `multiprocessing` gives them begins with a folder that has a module ``paddle``.
"""

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from minipaddle.engine.names import missing as names
from minipaddle.engine.names.missing import is_paddle, our_name


def install() -> None:
    """Make `import paddle` mean minipaddle, from now on in this process. Raises RuntimeError."""
    present = sys.modules.get("paddle")
    if present is not None and not _is_ours(present):
        raise RuntimeError(
            f"another paddle is already imported, from {getattr(present, '__file__', 'somewhere')}; "
            "start minipaddle in a process of its own: minipaddle run SCRIPT"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def uninstall() -> None:
    """Undo :func:`install`: forget the name ``paddle`` again; minipaddle itself stays loaded."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
        _name_tensors_after(our_name("paddle"))
    for name in [name for name, module in sys.modules.items() if is_paddle(name) and _is_ours(module)]:
        del sys.modules[name]


@contextmanager
def paddle_is_minipaddle() -> Iterator[None]:
    """Make `import paddle` mean minipaddle within a `with` block (and after it, if it did so before)."""
    was_installed = _finder in sys.meta_path
    install()
    try:
        yield
    finally:
        if not was_installed:
            uninstall()


class _Finder(MetaPathFinder, Loader):
    """Finds ``paddle`` and ``paddle.*``, and keeps other finders from finding them.

    It puts minipaddle's module into ``sys.modules`` under Paddle's name; the module keeps its own name and spec.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not is_paddle(fullname):
            return None
        ours = find_spec(our_name(fullname))
        if ours is None:
            parent, _, last = fullname.rpartition(".")
            package = sys.modules.get(our_name(parent))
            known = names.public(package) if package else ()
            opening = f"No module named {fullname!r}: "
            raise names.MissingModule(fullname, partial(names.neighbours, parent, last, known), opening)
        is_package = ours.submodule_search_locations is not None
        return ModuleSpec(fullname, self, origin=ours.origin, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = importlib.import_module(our_name(module.__name__))
        _name_the_loaded_ones()
        _name_tensors_after("paddle")


def _name_tensors_after(module: str) -> None:
    """Let the type of a Tensor print, and be pickled, as one of that module."""
    ours = sys.modules.get(our_name("paddle"))
    if ours is not None:
        ours.Tensor.__module__ = module


def _name_the_loaded_ones() -> None:
    """Register modules loaded by an import under Paddle's names too, with a message for names they lack.

    Else a later `import paddle.x` would count as a first one, and Python binds a module imported for the first
    time in its parent: over a function of the same name.
    """
    for name, module in sys.modules.copy().items():  # copied, as a thread may import another one
        if names.is_paddles(name):
            sys.modules.setdefault(names.paddle_name(name), module)
            vars(module).setdefault("__getattr__", names.missing(name, vars(module)))


def _is_ours(module: ModuleType) -> bool:
    return getattr(module, "__name__", "").partition(".")[0] == "minipaddle"


_finder = _Finder()

_OF_CHILDREN = os.path.join(os.path.dirname(__file__), "tools", "run", "path_of_children")


@contextmanager
def spawned_have_paddle() -> Iterator[None]:
    """Let `import paddle` mean minipaddle in each process that is spawned (not forked) within the ``with`` block."""
    try:
        from multiprocessing import spawn
    except ImportError:  # in a browser, which has no processes
        yield
        return
    before = spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        data = before(name)
        return data | {"sys_path": [_OF_CHILDREN, *data["sys_path"]]}

    vars(spawn)["get_preparation_data"] = get_preparation_data
    try:
        yield
    finally:
        vars(spawn)["get_preparation_data"] = before
