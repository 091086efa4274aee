"""minipaddle: how a deep-learning framework computes gradients, to read, see and step through.

The package is shaped like ``paddle``: ``minipaddle.to_tensor``, ``minipaddle.nn.functional.relu`` and so on. The names
are listed in :mod:`minipaddle.namespace`, which is loaded when the first of them is asked for, so that
``minipaddle --help`` needs no NumPy.
"""

from __future__ import annotations

import sys
import threading
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from minipaddle.core import extension
from minipaddle.names import paths

if TYPE_CHECKING:
    from minipaddle.namespace import *

__version__ = "0.1.0"


_loading = threading.RLock()
paths.install()


@extension.draw_program.filled
def _draw_program(program: Any, **options: Any) -> Any:
    from minipaddle.viz.api import graph

    return graph(program, **options)


@extension.draw_backward.filled
def _draw_backward(path: str) -> Any:
    from minipaddle.viz.dump import backward_into

    return backward_into(path)


@extension.draw_page.filled
def _draw_page(picture: Any) -> Any:
    from minipaddle.page import page_of

    return page_of(picture)


def load_ipython_extension(shell: Any) -> None:
    """Bring ``%%graph``, ``%%step``, ``%why`` and ``%check`` to a notebook: ``%load_ext minipaddle``."""
    import_module("minipaddle.cli.notebook").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Take them away again; `import paddle` stays minipaddle."""
    import_module("minipaddle.cli.notebook").unload(shell)


def __getattr__(name: str) -> Any:
    """Load the namespace when one of its names is needed for the first time; refuse what it does not have."""
    if not name.startswith("__") and not _is_loading() and not _is_being_imported(name):
        with _loading:
            namespace = _namespace()
        if name in globals() and not _is_hidden(name):
            return globals()[name]
        if name in namespace.LAZY and not _is_hidden(name):
            globals()[name] = found = getattr(namespace, name)
            return found
    from minipaddle.names.missing import missing

    return missing(__name__, __dir__())(name)


@cache
def _namespace() -> ModuleType:
    """Return the namespace, all of whose names that are not lazy are put here."""
    namespace = import_module("minipaddle.namespace")
    eager = [public for public in namespace.__all__ if public not in namespace.LAZY]
    globals().update({public: getattr(namespace, public) for public in eager})
    return namespace


def __dir__() -> list[str]:
    """List what is here, loaded or not."""
    namespace = sys.modules.get("minipaddle.namespace")
    return sorted({*globals(), *getattr(namespace, "__all__", ())})


def _is_hidden(name: str) -> bool:
    """Whether a name is one of our own packages, and this module stands in for ``paddle``."""
    from minipaddle.names.public import INTERNAL

    return name in INTERNAL and type(sys.modules[__name__]) is not ModuleType


def _is_being_imported(name: str) -> bool:
    """Whether this is one of our own packages, which ``from minipaddle import ops`` looks for before it imports it."""
    from minipaddle.names.public import INTERNAL

    return name in INTERNAL and f"minipaddle.{name}" not in sys.modules


def _is_loading() -> Any:
    """Whether this is the import machinery, asking for a submodule while the namespace is being loaded."""
    # Paddle has names like `bool`, `any` and `sum`: from here on they may not mean Python's own in this module.
    namespace = sys.modules.get("minipaddle.namespace")
    return namespace is not None and getattr(namespace.__spec__, "_initializing", False)
