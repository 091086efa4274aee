"""Our own packages are no part of ``paddle``: ``paddle.trace`` is a function of Paddle, ``minipaddle.trace`` a package.

``paddle`` and ``minipaddle`` are one module, in which Python binds every package that is imported. Our own code, and
code that calls the module ``minipaddle``, sees them; code that calls it ``paddle`` does not.
"""

from __future__ import annotations

import dis
import sys
from types import FrameType, ModuleType
from typing import Any

from minipaddle.names.public import INTERNAL, RENAMED


def hide_packages(module: ModuleType) -> None:
    """Hide our own packages in a module from code that calls it ``paddle``."""
    module.__class__ = _HidingModule


def show_packages(module: ModuleType) -> None:
    """Undo :func:`hide_packages`."""
    module.__class__ = ModuleType


class _Hidden:
    """A package as an attribute of its parent: Python sets it, and some may read it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, module: ModuleType | None, owner: type) -> Any:
        if module is None:
            return self
        if not _may_look(sys._getframe(1), module):
            return sys.modules["minipaddle.namespace"].__getattr__(self.name)  # Paddle's own, if there is one
        if self.name in vars(module):
            return vars(module)[self.name]
        raise AttributeError(self.name)  # and the module's own __getattr__ says what a user wants to know

    def __set__(self, module: ModuleType, value: object) -> None:
        if (
            getattr(value, "__name__", None) not in RENAMED.values()
        ):  # Python binds what `import paddle.x` brings
            vars(module)[self.name] = value

    def __delete__(self, module: ModuleType) -> None:
        vars(module).pop(self.name, None)


_HidingModule = type("_HidingModule", (ModuleType,), {name: _Hidden() for name in sorted(INTERNAL)})


def _may_look(frame: FrameType, module: ModuleType) -> bool:
    """Whether code is ours, or Python's that imports, or knows the module by another name than ``paddle``."""
    asking = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if asking in ("minipaddle", "importlib"):
        return True
    imported = _imported_from(frame)
    if imported is not None:
        return imported.partition(".")[0] == "minipaddle"
    known = {**frame.f_globals, **frame.f_locals}
    return any(value is module and name != "paddle" for name, value in known.items())


def _imported_from(frame: FrameType) -> str | None:
    """Return the module's name in ``from NAME import ...``, if that is what a frame is doing."""
    name = None
    for step in dis.get_instructions(frame.f_code):
        if step.opname == "IMPORT_NAME":
            name = str(step.argval)
        if step.offset == frame.f_lasti:
            return name if step.opname == "IMPORT_FROM" else None
    return None
