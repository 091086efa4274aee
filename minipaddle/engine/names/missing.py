"""Paddle's names: those that exist here, those like a given one, those refused on purpose, and errors for the rest.

A table of names is text, in the folder ``tables``: a line that ends with a colon is a head; the indented lines below
have its names. A line that begins with # is a comment. ``tables/refused.txt`` has the refused names, with a sentence:
its purpose, and where it works. A refused name covers all names below it. A name that gets built leaves the table.

Modules imported under Paddle's name get the errors (minipaddle/importer.py); a module with its own
``__getattr__`` ends it with ``missing(__name__, globals())(name)``. ``minipaddle coverage`` says the same sentences.
"""

from __future__ import annotations

import difflib
import opcode
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FrameType, ModuleType
from typing import Any

ROOT = "minipaddle.paddle"
"""The package that is Paddle's namespace."""
_RENAMED = {
    "paddle.fluid": "minipaddle.paddle.base",  # the name that `paddle.base` had before Paddle 2.6
    "paddle.callbacks": "minipaddle.paddle.hapi.callbacks",
}

_ALIKE = 0.75  # of 1: `liner` is like `linear`, `vision` is not like `isinf`
ELSEWHERE: list[tuple[Callable[[str, str], Any], Callable[[str], list[str]]]] = []
"""Finders of a name of Paddle's file in another module, which also list names; minipaddle/paddle/paths.py adds one."""
_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]
_ASKING = ("__getattr__", "getattr_of_module")
"""The functions by which a module looks up a name that it lacks."""


def paddle_name(name: str) -> str:
    """Return ``paddle.nn`` for ``minipaddle.paddle.nn``; other names unchanged.

    >>> paddle_name("minipaddle.paddle.nn.functional"), paddle_name("minipaddle.paddle"), paddle_name("numpy.linalg")
    ('paddle.nn.functional', 'paddle', 'numpy.linalg')
    """
    return name.partition(".")[2] if is_paddles(name) else name


def is_paddles(name: str) -> bool:
    """Return whether a module, by minipaddle's name for it, is part of Paddle's namespace.

    >>> is_paddles("minipaddle.paddle.nn"), is_paddles("minipaddle.tools.record")
    (True, False)
    """
    return name == ROOT or name.startswith(f"{ROOT}.")


def is_paddle(name: str) -> bool:
    """Whether a name is Paddle's."""
    return name == "paddle" or name.startswith("paddle.")


def our_name(name: str) -> str:
    """Return the name of minipaddle's module for one of Paddle's.

    >>> our_name("paddle.nn.functional"), our_name("paddle.fluid.dygraph")
    ('minipaddle.paddle.nn.functional', 'minipaddle.paddle.base.dygraph')
    """
    first = ".".join(name.split(".")[:2])
    return name.replace(first, _RENAMED.get(first, f"minipaddle.{first}"), 1)


def public(module: ModuleType) -> list[str]:
    """Return the public names of a module: its ``__all__``, or else the names defined in it and in its folder."""
    own = (name for name, value in vars(module).items() if _is_of(module, value))
    return list(getattr(module, "__all__", ())) or [name for name in own if not name.startswith("_")]


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of `names` similar to `name`, ignoring case, the best first.

    >>> near("liner", ["Linear", "relu", "linspace"])
    ['Linear']
    """
    public_names = sorted(known for known in names if not known.startswith("_"))
    keys = difflib.get_close_matches(name.lower(), {*map(str.lower, public_names)}, count, cutoff=_ALIKE)
    return [known for key in keys for known in public_names if known.lower() == key][:count]


def neighbours(package: str, name: str, known: Iterable[str]) -> list[str]:
    """Return full names to use instead: `name` in another package first, then similar names in `package`.

    ``paddle.relu`` gives ``paddle.nn.functional.relu``, and ``paddle.nn.Liner`` gives ``paddle.nn.Linear``.
    """
    elsewhere = same_name_elsewhere(name)
    here = [f"{paddle_name(package)}.{found}" for found in near(name, known)]
    return list(dict.fromkeys(elsewhere[:2] + here))[:3]


def _is_of(module: ModuleType, value: object) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__.startswith(f"{module.__name__}.")
    return getattr(value, "__module__", module.__name__) == module.__name__


def same_name_elsewhere(name: str) -> list[str]:
    """Return the full names of `name` in the fronts loaded so far: the shortest one of each object."""
    found: dict[int, str] = {}
    loaded = [one for one in list(sys.modules) if is_paddles(one) and "._" not in one]
    for module_name in sorted(loaded, key=lambda module: (module.count("."), module)):
        module = sys.modules[module_name]
        if name in getattr(module, "__all__", ()) and hasattr(module, name):
            found.setdefault(id(getattr(module, name)), f"{paddle_name(module_name)}.{name}")
    return list(found.values())


def heads_of(table: str) -> dict[str, str]:
    """Return the head of each name in a table; "" for the head ``-``."""
    found, head = {}, ""
    with open(os.path.join(os.path.dirname(__file__), "tables", f"{table}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith(" "):
            found.update(dict.fromkeys(line.split(), head))
        elif not line.startswith("#"):
            head = line.removesuffix(":").removeprefix("-")
    return found


REFUSED = heads_of("refused")
"""The sentence of each name."""


def refusal(name: str) -> str | None:
    """Return the reason why a full name, or its module's name, is refused; None if it is not.

    >>> refusal("paddle.onnx.export") == refusal("paddle.onnx"), refusal("paddle.onnxy")
    (True, None)
    """
    while name and name not in REFUSED:
        name = name.rpartition(".")[0]
    return REFUSED.get(name)


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
