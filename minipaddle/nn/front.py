"""Import paths: names that a file of Paddle has, and that have another file here, which is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from minipaddle.names.missing import missing


def of_front(namespace: dict[str, Any], package: str) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``, which finds what the front of its `package` offers."""
    otherwise = missing(namespace["__name__"], namespace)

    def getattr_of_module(name: str) -> Any:
        front = import_module(package)
        return getattr(front, name) if name in front.__all__ else otherwise(name)

    return getattr_of_module
