"""Whether a name is in Paddle's namespace here, without running a script; else similar names, or why it is refused."""

import importlib
from dataclasses import dataclass
from types import ModuleType

from minipaddle.engine.names import missing as names
from minipaddle.engine.names.missing import our_name


@dataclass(frozen=True)
class Lookup:
    """The answer to the question whether ``paddle.x.y`` exists here."""

    name: str
    """The full name."""
    lines: tuple[int, ...] = ()
    """The line of each use in a script."""
    present: bool = False
    nearest: tuple[str, ...] = ()
    """Similar names that exist, if it is missing."""
    refused: str | None = None
    """The reason, if the name is left out on purpose."""


def look_up(name: str) -> Lookup:
    """Return whether `name` (``paddle.nn.Linear``, ``paddle.Tensor.backward``) exists, else similar names.

    A part below a function or a value (``paddle.float32.name``) is not in Paddle's namespace: it is cut off.
    """
    value, walked, rest = _walk(name)
    if not rest or not isinstance(value, ModuleType | type):
        return Lookup(walked, present=True)
    if refused := names.refusal(name):
        return Lookup(name, refused=refused)
    return Lookup(name, nearest=tuple(near for near in _nearest(value, walked, rest) if near != name))


def offered(name: str) -> list[str]:
    """Return the names that `from NAME import *` imports; [] if there is no such module."""
    try:
        return names.public(importlib.import_module(our_name(name)))
    except ImportError:
        return []


def _walk(name: str) -> tuple[object, str, list[str]]:
    """Return the last object found along a dotted name, its name, and the parts that were not found."""
    root, *parts = name.split(".")
    value: object = importlib.import_module(our_name(root))
    for done, part in enumerate(parts):
        walked = ".".join([root, *parts[:done]])
        found, inner = _child(value, walked, part) if isinstance(value, ModuleType | type) else (False, None)
        if not found:
            return value, walked, parts[done:]
        value = inner
    return value, name, []


def _child(value: ModuleType | type, walked: str, part: str) -> tuple[bool, object]:
    if hasattr(value, part):
        inner = getattr(value, part)
        # minipaddle's tools and an imported NumPy are no part of Paddle's namespace
        return not isinstance(inner, ModuleType) or names.is_paddles(inner.__name__), inner
    if isinstance(value, ModuleType):
        return _submodule(our_name(f"{walked}.{part}"))
    return False, None


def _submodule(ours: str) -> tuple[bool, object]:
    """Return (True, the imported module), or (False, None) if it does not exist."""
    try:
        return True, importlib.import_module(ours)
    except ModuleNotFoundError as error:
        if error.name != ours:
            raise  # the module exists, but one that it imports does not
        return False, None


def _nearest(value: ModuleType | type, walked: str, rest: list[str]) -> tuple[str, ...]:
    part, last = rest[0], rest[-1]
    if not isinstance(value, ModuleType):
        known = [one for one in dir(value) if hasattr(value, one)]  # refused names are listed, too
        return tuple(f"{names.paddle_name(walked)}.{found}" for found in names.near(part, known))
    elsewhere = names.same_name_elsewhere(last) if last != part else []
    similar = names.neighbours(value.__name__, part, names.public(value))
    return tuple(dict.fromkeys([*elsewhere, *similar]))[:3]
