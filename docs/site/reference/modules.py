"""Which modules of `paddle` the reference shows, and on which page each of their names stands."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from types import ModuleType
from typing import Any

import minipaddle
from minipaddle.engine.names.missing import paddle_name, public
from minipaddle.engine.tensor.tensor import Tensor

MODULES = (
    *("linalg", "fft", "autograd", "nn", "nn.functional", "nn.initializer", "nn.utils"),
    *("optimizer", "optimizer.lr", "regularizer", "metric", "amp", "io", "static", "static.nn"),
    *("jit", "distribution", "distributed", "distributed.fleet", "vision.models"),
    *("vision.transforms", "vision.datasets", "callbacks", "device", "utils"),
)
_REST = "more"


@dataclass(frozen=True)
class Page:
    """Names that stand together: those of a module, or those of a family of `paddle` itself."""

    file: str
    title: str
    names: list[tuple[str, Any]]


def pages() -> Iterator[Page]:
    """Yield every page: `paddle` by the families of its operators, the methods of Tensor, the other modules."""
    families: dict[str, list[tuple[str, Any]]] = {}
    for name, value in _names(minipaddle.paddle):
        families.setdefault(_family(value), []).append((f"paddle.{name}", value))
    for family in sorted(families, key=lambda family: (family == _REST, family)):
        yield Page(f"paddle-{family}", f"paddle: {family}", families[family])
    methods = [(f"paddle.Tensor.{name}", value) for name, value in _methods(Tensor)]
    yield Page("paddle.Tensor", "paddle.Tensor", methods)
    for name in MODULES:
        module = reduce(getattr, name.split("."), minipaddle.paddle)
        shown = paddle_name(f"minipaddle.paddle.{name}")
        yield Page(shown, shown, [(f"{shown}.{one}", value) for one, value in _names(module)])


def methods(of: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods that a class shows, those of its bases among them, by name."""
    for name, value in _methods(of):
        if inspect.isroutine(value) and inspect.getdoc(value):
            yield name, value


def _methods(of: type) -> Iterator[tuple[str, Any]]:
    for name in sorted(name for name in dir(of) if not name.startswith("_")):
        value = getattr(of, name, None)
        if callable(value) or isinstance(inspect.getattr_static(of, name), property):
            yield name, value


def _names(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in sorted(set(public(module)), key=lambda name: (name.lower(), name)):
        value = getattr(module, name)
        if not isinstance(value, ModuleType) and callable(value):
            yield name, value


def _family(value: Any) -> str:
    """Return the room of the operators in which a function is written, or that of all others."""
    parts = (getattr(value, "__module__", None) or "").split(".")
    return parts[2] if parts[:2] == ["minipaddle", "ops"] and len(parts) > 3 else _REST
