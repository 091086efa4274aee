"""paddle: the module of ``import paddle`` under ``minipaddle run``; ``from minipaddle import paddle`` elsewhere.

The names are listed in :mod:`minipaddle.paddle.namespace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minipaddle.engine.names.missing import missing
from minipaddle.engine.operator.lazy_loading import later
from minipaddle.paddle import namespace, paths
from minipaddle.paddle.version import full_version as __version__

if TYPE_CHECKING:
    from minipaddle.paddle.namespace import *

paths.install()
__all__ = namespace.__all__
_here = globals()
_here.update({name: getattr(namespace, name) for name in __all__ if name not in namespace.LAZY})

# Paddle has names like `bool`, `any` and `sum`: in this module they do not mean Python's own.
__getattr__ = later(_here, namespace.LATER, namespace.ROOMS, missing(__name__, __all__))


def __dir__() -> list[str]:
    """List all names, loaded or not."""
    return sorted({*_here, *__all__} - {"annotations", "_here"})
