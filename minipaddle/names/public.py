"""Which names the Paddle-shaped namespace has, what Paddle calls them, and which look like a given one."""

from __future__ import annotations

import difflib
import sys
from bisect import bisect
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from types import ModuleType

from minipaddle.names.grouped import grouped

_OURS = "checks cli compat core course debug explain names namespace ops page trace viz words"
INTERNAL = frozenset(_OURS.split())
"""What is our own: no part of the Paddle-shaped namespace."""
RENAMED = {"paddle.compat": "minipaddle.like_torch"}
"""Packages of Paddle whose name one of our own packages has, and what they are called here."""
_PADDLES = {ours: paddles for paddles, ours in RENAMED.items()}

_ALIKE = 0.75  # of 1: `liner` is like `linear`, `vision` is not like `isinf`


def paddle_name(name: str) -> str:
    """Say ``paddle.nn`` for ``minipaddle.nn``; other names stay as they are.

    >>> paddle_name("minipaddle.nn.functional"), paddle_name("minipaddle.like_torch.nn"), paddle_name("numpy.linalg")
    ('paddle.nn.functional', 'paddle.compat.nn', 'numpy.linalg')
    """
    root, dot, rest = name.partition(".")
    first = ".".join(name.split(".")[:2])
    if first in _PADDLES:
        return name.replace(first, _PADDLES[first], 1)
    return f"paddle{dot}{rest}" if root == "minipaddle" else name


def is_internal(name: str) -> bool:
    """Say whether a dotted name, whatever its root, leads into one of our own packages.

    >>> is_internal("paddle.core.record"), is_internal("paddle.nn.core")
    (True, False)
    >>> is_internal("minipaddle.compat"), is_internal("paddle.compat")
    (True, False)
    """
    parts = name.split(".")[:2]
    return ".".join(parts) not in RENAMED and bool(INTERNAL & set(parts[1:]))


def public(module: ModuleType) -> list[str]:
    """List what a module of the namespace offers: its ``__all__``, or else what is written in it and in its folder."""
    own = (name for name, value in vars(module).items() if _is_of(module, value))
    return _listed(module) or [name for name in own if not name.startswith("_")]


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` of `names` that look like `name`, whatever their case, the best first.

    >>> near("liner", ["Linear", "relu", "lerp"])
    ['Linear']
    """
    spellings = grouped((known.lower(), known) for known in names if not known.startswith("_"))
    keys = difflib.get_close_matches(name.lower(), spellings, count, cutoff=_ALIKE)
    return [spelling for key in keys for spelling in sorted(spellings[key])][:count]


def neighbours(package: str, name: str, known: Iterable[str]) -> list[str]:
    """Return full names to use instead: `name` in another package first, then what `package` has like it.

    ``paddle.relu`` gives ``paddle.nn.functional.relu``, and ``paddle.nn.Liner`` gives ``paddle.nn.Linear``.
    """
    elsewhere = same_name_elsewhere(name)
    here = [f"{paddle_name(package)}.{found}" for found in near(name, known)]
    return list(dict.fromkeys(elsewhere[:2] + here))[:3]


def _is_of(module: ModuleType, value: object) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__.startswith(f"{module.__name__}.") and not is_internal(value.__name__)
    return getattr(value, "__module__", module.__name__) == module.__name__


def _listed(module: ModuleType) -> list[str]:
    """Return the names that a front shows; that of ``paddle`` itself is in a file of its own."""
    front = sys.modules.get(f"{module.__name__}.namespace", module)
    return list(getattr(front, "__all__", ()))


def same_name_elsewhere(name: str) -> list[str]:
    """Return where the fronts that are loaded so far have a name: each thing once, at its shortest address."""
    found: dict[int, str] = {}
    for module_name in sorted(_loaded(), key=lambda module: (module.count("."), module)):
        module = sys.modules[module_name]
        if name in _listed(module) and not is_internal(f"{module_name}.{name}"):
            found.setdefault(id(getattr(module, name, None)), f"{paddle_name(module_name)}.{name}")
    return list(found.values())


def _loaded() -> list[str]:
    ours = [name for name in list(sys.modules) if name.split(".")[0] == "minipaddle" and "._" not in name]
    return [name for name in ours if not is_internal(name)]


_AROUND = 100


def nearest(word: str, names: Iterable[str]) -> list[str]:
    """Return up to three of `names` that look like `word`, the best first.

    To compare two names takes 10 us. Of very many names those are compared that stand next to the word in the
    dictionary, where names that begin alike are together, or in the one that is sorted by the ends of words.
    """
    some = sorted(names)
    if len(some) > 4 * _AROUND:
        backwards = sorted(name[::-1] for name in some)
        ending = [name[::-1] for name in _around(word[::-1], backwards)]
        some = list(dict.fromkeys([*_around(word, some), *ending]))
    return get_close_matches(word, some)


def _around(word: str, names: Sequence[str]) -> Sequence[str]:
    place = bisect(names, word)
    return names[max(place - _AROUND, 0) : place + _AROUND]
