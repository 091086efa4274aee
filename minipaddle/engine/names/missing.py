"""Errors for Paddle names that do not exist here: with the full name, and the nearest existing one.

A name refused on purpose (:mod:`minipaddle.engine.names.refused`) gets the reason, and no nearest name.

Modules imported under Paddle's name get this error (by minipaddle/tools/run/importer.py); a module with its own
``__getattr__`` ends it with ``missing(__name__, globals())(name)``.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FrameType
from typing import Any

from minipaddle.engine.names.public import neighbours, paddle_name
from minipaddle.engine.names.refused import refusal

ELSEWHERE: list[tuple[Callable[[str, str], Any], Callable[[str], list[str]]]] = []
"""Finders of a name of Paddle's file in another module, which also list names; minipaddle/paddle/paths.py adds one."""
_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]
_ASKING = ("__getattr__", "getattr_of_module", "room_or_missing")
"""The functions by which a module looks up a name that it lacks."""


class Missing(Exception):
    """A Paddle name that minipaddle lacks. The nearest names are looked up when the message is read."""

    def __init__(self, name: str, look_around: Callable[[], list[str]], opening: str = "") -> None:
        super().__init__(name)
        self.paddle_name, self._look_around, self._opening = name, look_around, opening

    @property
    def nearest(self) -> list[str]:
        """Full names that exist here and look like it, the best first; may be empty."""
        around = () if refusal(self.paddle_name) else self._look_around()
        return [name for name in around if name != self.paddle_name]

    def __str__(self) -> str:
        hint = ", nor anything with a name like it"
        if refused := refusal(self.paddle_name):
            hint = f": {refused}"
        elif nearest := self.nearest:
            hint = f"; nearest: {', '.join(nearest)}"
        return f"{self._opening}minipaddle has no {self.paddle_name}{hint}"


class MissingName(Missing, AttributeError):
    """The error for ``paddle.nn.Foo``."""

    def __init__(self, name: str, look_around: Callable[[], list[str]]) -> None:
        super().__init__(name, look_around)
        self.name = name.rpartition(".")[2]
        self.obj = None  # with a module here, Python would add its own suggestion


class MissingImport(Missing, ImportError):
    """The error for ``from paddle.nn import Foo``."""


class MissingModule(Missing, ModuleNotFoundError):
    """The error for ``import paddle.foo``."""


def missing(module_name: str, public_names: Iterable[str]) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``: it finds Paddle names kept in other modules, or raises with the nearest.

    Args:
        module_name: the module's own ``__name__``.
        public_names: the names that it offers; the live ``globals()`` will do.
    """

    def getattr_of_module(name: str) -> Any:
        is_loaded = f"{module_name}.{name}" in sys.modules
        if name.startswith("__") or is_loaded:  # asked by Python, not by a user
            raise AttributeError(f"module {module_name!r} has no attribute {name!r}", name=name)
        for found, _ in ELSEWHERE:
            with suppress(AttributeError):
                return found(module_name, name)
        package = paddle_name(module_name)

        def look_around() -> list[str]:
            offered = [known for _, names in ELSEWHERE for known in names(module_name)]
            return neighbours(module_name, name, [*public_names, *offered])

        if _is_from_import(sys._getframe(1)):
            opening = f"cannot import name {name!r} from {package!r}: "
            raise MissingImport(f"{package}.{name}", look_around, opening)
        raise MissingName(f"{package}.{name}", look_around)

    return getattr_of_module


def _is_from_import(frame: FrameType) -> bool:
    """Return whether it is ``from paddle.nn import Foo``, which would hide an AttributeError, not ``paddle.nn.Foo``."""
    while frame.f_code.co_name in _ASKING and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM
