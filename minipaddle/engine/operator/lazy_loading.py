"""Lazy loading: names that are seldom needed are loaded on first use, and cost nothing before.

A package lists which file has which names, once, and ends with::

    __all__ = ["relu", ...]
    __getattr__ = front(globals(), {"vision": "grid_sample pixel_shuffle unfold"})

Operators (:mod:`minipaddle.ops.families`) are looked up in two more ways: as methods
(``LaterMethod`` of engine/value/value.py), and by their types (:class:`minipaddle.engine.operator.table.Table`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

from minipaddle.engine.errors import guard_all
from minipaddle.engine.names.missing import missing
from minipaddle.engine.operator.operator import Operator


def homes(package: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the module of each name; `files` are modules of `package`, or full names, each with its names in a row.

    >>> homes("minipaddle.paddle.nn", {"layer.rnn": "LSTM GRU"})
    {'LSTM': 'minipaddle.paddle.nn.layer.rnn', 'GRU': 'minipaddle.paddle.nn.layer.rnn'}
    """
    full = {file: file if file.startswith("minipaddle.") else f"{package}.{file}" for file in files}
    return {name: full[file] for file, names in files.items() for name in names.split()}


def load(home: str, name: str) -> Any:
    """Return `name` of the module `home` as users get it: guarded, and an operator as a plain function."""
    found = {name: getattr(import_module(home), name)}
    guard_all(found)
    value = found[name]
    return value.public if isinstance(value, Operator) else value


def later(
    namespace: dict[str, Any],
    home_of: Mapping[str, str],
    rooms: Collection[str] = (),
    otherwise: Callable[[str], Any] | None = None,
) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``: it loads names and submodules (`rooms`), once; others go to `otherwise`."""

    def getattr_of_module(name: str) -> Any:
        if name not in home_of and name not in rooms:
            if otherwise is None:
                raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}", name=name)
            return otherwise(name)
        is_room = name not in home_of
        found = import_module(f"{namespace['__name__']}.{name}") if is_room else load(home_of[name], name)
        namespace[name] = found
        return found

    return getattr_of_module


def front(
    namespace: dict[str, Any], files: Mapping[str, str] | None = None, package: str = ""
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: it loads names and files on first use, and raises for unknown names.

    ``dir()`` of the package lists them all, loaded or not.

    Args:
        namespace: its ``globals()``. Names in ``__all__`` exist already, and are guarded; the others are added to it.
        files: the names that each of its files defines, with spaces between; "" for a public submodule.
        package: the package of those files, if not this one.
    """
    name_of_front, shown = namespace["__name__"], namespace.setdefault("__all__", [])
    guard_all(namespace)
    home_of = homes(package or name_of_front, files or {})
    shown += home_of
    rooms = [] if package else [file for file in files or () if "." not in file]
    own = [one for one in namespace if one.startswith("__")]
    namespace["__dir__"] = lambda: sorted({*own, *shown, *rooms})
    return later(namespace, home_of, rooms, missing(name_of_front, [*shown, *rooms]))
