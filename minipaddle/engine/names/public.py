"""The names of the Paddle-shaped namespace, Paddle's names for them, and the names similar to a given one."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from types import ModuleType

ROOT = "minipaddle.paddle"
"""The package that is Paddle's namespace."""

_ALIKE = 0.75  # of 1: `liner` is like `linear`, `vision` is not like `isinf`


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
        if name in getattr(module, "__all__", ()):
            found.setdefault(id(getattr(module, name, None)), f"{paddle_name(module_name)}.{name}")
    return list(found.values())
