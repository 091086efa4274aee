"""Nested values, such as results of user functions: lists in tuples in dicts; slices among indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def flat(nest: Any) -> list[Any]:
    """Return the leaves of a nest of lists, tuples and dicts (by sorted keys), from left to right.

    >>> flat((1, [2, 3], {"b": 5, "a": 4}))
    [1, 2, 3, 4, 5]
    """
    if isinstance(nest, (list, tuple)):
        return [leaf for item in nest for leaf in flat(item)]
    if isinstance(nest, dict):
        return [leaf for key in sorted(nest) for leaf in flat(nest[key])]
    if isinstance(nest, slice):
        return [nest.start, nest.stop, nest.step]
    return [nest]


def rebuilt(nest: Any, change: Callable[[Any], Any]) -> Any:
    """Return the same nest with every leaf changed, in the order of :func:`flat`.

    >>> rebuilt((1, [2], {"a": 3}), lambda leaf: leaf * 10)
    (10, [20], {'a': 30})
    """
    if isinstance(nest, tuple) and hasattr(nest, "_fields"):
        return type(nest)(*[rebuilt(item, change) for item in nest])
    if isinstance(nest, (list, tuple)):
        return type(nest)([rebuilt(item, change) for item in nest])
    if isinstance(nest, dict):
        found = {key: rebuilt(nest[key], change) for key in sorted(nest)}
        return {key: found[key] for key in nest}
    if isinstance(nest, slice):
        return slice(change(nest.start), change(nest.stop), change(nest.step))
    return change(nest)
