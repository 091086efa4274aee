"""Later: what is seldom needed is loaded when somebody asks for it, and costs nothing until then.

A module says which file has which names, and ends with::

    _LATER = homes("minipaddle.nn.functional", {"vision": "grid_sample affine_grid pixel_shuffle"})
    __all__ = ["relu", ..., *_LATER]
    __getattr__ = later(globals(), _LATER, missing(__name__, __all__))

Operators (:mod:`minipaddle.ops.families`) are asked for in two more ways: as methods
(:class:`minipaddle.core.value.LaterMethod`), and by their types (:class:`minipaddle.core.table.Table`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from minipaddle.core.errors import guard_all
from minipaddle.core.operator import Operator


def homes(package: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the module that has each name; `files` are modules of `package`, each with its names in a row.

    >>> homes("minipaddle.nn", {"layer.rnn": "LSTM GRU"})
    {'LSTM': 'minipaddle.nn.layer.rnn', 'GRU': 'minipaddle.nn.layer.rnn'}
    """
    return {name: f"{package}.{file}" for file, names in files.items() for name in names.split()}


def load(home: str, name: str) -> Any:
    """Return what the module `home` calls `name`, as users get it: guarded, and an operator as a plain function."""
    found = {name: getattr(import_module(home), name)}
    guard_all(found)
    value = found[name]
    return value.public if isinstance(value, Operator) else value


def later(
    namespace: dict[str, Any], home_of: Mapping[str, str], otherwise: Callable[[str], Any] | None = None
) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``: it loads the names that have a home, once; the rest is for `otherwise`."""

    def getattr_of_module(name: str) -> Any:
        if name not in home_of:
            if otherwise is None:
                raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}", name=name)
            return otherwise(name)
        namespace[name] = found = load(home_of[name], name)
        return found

    return getattr_of_module
