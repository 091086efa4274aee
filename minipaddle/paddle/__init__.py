"""paddle: the module of ``import paddle`` under ``minipaddle run``; ``from minipaddle import paddle`` elsewhere.

The names are listed in :mod:`minipaddle.paddle.namespace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle import namespace, paths
from minipaddle.paddle.version import full_version as __version__

if TYPE_CHECKING:
    from minipaddle.paddle.namespace import *

paths.install()
__all__ = namespace.__all__
_otherwise = missing(__name__, __all__)
_here = globals()
_here.update({name: getattr(namespace, name) for name in __all__ if name not in namespace.LAZY})


def __getattr__(name: str) -> Any:
    """Load a name that is seldom needed; refuse one that minipaddle lacks."""
    # Paddle has names like `bool`, `any` and `sum`: in this module they do not mean Python's own.
    if name in namespace.LAZY:
        _here[name] = found = getattr(namespace, name)
        return found
    return _otherwise(name)


def __dir__() -> list[str]:
    """List all names, loaded or not."""
    return sorted({*_here, *__all__})
