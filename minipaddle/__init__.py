"""minipaddle: how a deep-learning framework computes gradients, to read, see and step through.

The package is shaped like ``paddle``: ``minipaddle.to_tensor``, ``minipaddle.nn.functional.relu`` and so on. The names
are listed in :mod:`minipaddle.namespace`, which is loaded when the first of them is asked for, so that
``minipaddle --help`` needs no NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minipaddle.namespace import *

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the names of the namespace when one of them is needed for the first time."""
    from minipaddle.core.missing import missing

    if not name.startswith("__") and "to_tensor" not in globals():
        from minipaddle import namespace

        globals().update({public: getattr(namespace, public) for public in namespace.__all__})
        if name in globals():
            return globals()[name]
    return missing(__name__, globals())(name)
