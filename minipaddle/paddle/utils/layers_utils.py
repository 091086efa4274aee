"""``paddle.utils``: lists in lists, taken apart and put together; what a shape may be; one value for several axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minipaddle.engine.autograd.tensor import Tensor


def is_sequence(seq: Any) -> bool:
    """Return whether something holds others: a dict, a list, a tuple; a string does not."""
    return isinstance(seq, dict | Sequence) and not isinstance(seq, str)


def to_sequence(nest: Any) -> Any:
    """Return a sequence as it is, and anything else in a list."""
    return nest if is_sequence(nest) else [nest]


def flatten(nest: Any) -> list[Any]:
    """Return what stands in lists in lists as one list; the values of a dict in the order of its keys.

    >>> flatten([1, (2, [3]), {"b": 5, "a": 4}])
    [1, 2, 3, 4, 5]
    """
    return [leaf for child in _children(nest) for leaf in flatten(child)] if is_sequence(nest) else [nest]


def _children(nest: Any) -> list[Any]:
    return [nest[key] for key in sorted(nest)] if isinstance(nest, dict) else list(nest)


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Return the values of a list in lists in lists like `structure`: what :func:`flatten` undid.

    Raises:
        TypeError: **flat_sequence must be a sequence**.
        ValueError: **Could not pack sequence**: there are not as many values as places.
    """
    if not is_sequence(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    places, values = len(flatten(structure)), list(flat_sequence)
    if not is_sequence(structure) and len(values) != 1:
        raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(values)} > 1")
    if places != len(values):
        raise ValueError(
            f"Could not pack sequence. Structure had {places} elements, but flat_sequence had {len(values)} elements. "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _packed(structure, iter(values))


def _packed(structure: Any, values: Iterator[Any]) -> Any:
    if not is_sequence(structure):
        return next(values)
    children = [_packed(child, values) for child in _children(structure)]
    if isinstance(structure, dict):
        packed = dict(zip(sorted(structure), children))
        return type(structure)((key, packed[key]) for key in structure)
    if hasattr(structure, "_fields"):
        return type(structure)(*children)
    return type(structure)(children) if isinstance(structure, list | tuple) else children


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """Return `func` of each value of lists in lists, in lists like the first; several are walked side by side.

    >>> map_structure(lambda x: 10 * x, [1, {"a": (2,)}])
    [10, {'a': (20,)}]

    Raises:
        ValueError: **Could not pack sequence**: another one is shorter.
    """
    results = [func(*values) for values in zip(*map(flatten, structure))]
    return pack_sequence_as(structure[0], results)


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, skip_if: Callable[[Any, Any], bool] | None = None
) -> None:
    """Return if lists in lists are alike; what they hold does not matter.

    Args:
        nest1: one.
        nest2: the other.
        check_types: a list and a tuple are different, too.
        skip_if: says of two parts whether they need not be compared.

    Raises:
        ValueError: **don't have the same nested structure**.
        TypeError: **don't have the same sequence type**.
    """
    if skip_if is not None and skip_if(nest1, nest2):
        return
    if is_sequence(nest1) != is_sequence(nest2) or (is_sequence(nest1) and len(nest1) != len(nest2)):
        told = f"First structure: {nest1}\n\nSecond structure: {nest2}."
        raise ValueError(f"The two structures don't have the same nested structure.\n\n{told}")
    if not is_sequence(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(
            "The two structures don't have the same sequence type. First structure has type "
            f"{type(nest1)}, while second structure has type {type(nest2)}."
        )
    for one, other in zip(_children(nest1), _children(nest2)):
        assert_same_structure(one, other, check_types, skip_if)


def padding_to_same_structure(nest1: Any, nest2: Any, obj: Any = None) -> tuple[Any, Any]:
    """Return two nests; where one has a value and the other a sequence, the value stands as often as is needed.

    `obj` is what a place is filled with that has no value.
    """
    if is_sequence(nest1) and is_sequence(nest2):
        longest = max(len(nest1), len(nest2))
        pairs = [
            padding_to_same_structure(one, other, obj)
            for one, other in zip(_filled(nest1, longest, obj), _filled(nest2, longest, obj))
        ]
        return [one for one, _ in pairs], [other for _, other in pairs]
    return nest1, nest2


def _filled(nest: Any, length: int, obj: Any) -> list[Any]:
    return _children(nest) + [obj] * (length - len(nest))


def copy_mutable_vars(structure: Any) -> Any:
    """Return the same values in new lists and dicts."""
    return map_structure(lambda value: value, structure)


def hold_mutable_vars(structure: Any) -> Any:
    """Return a ``with`` block after which lists and dicts in `structure` hold what they held before."""
    return _Held(structure)


class _Held:
    """The lists and dicts of a nest, and what was in them."""

    def __init__(self, structure: Any) -> None:
        self._held = [(nest, nest.copy()) for nest in _mutable(structure)]

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, *exc_info: object) -> None:
        for nest, content in self._held:
            nest.clear()
            nest.extend(content) if isinstance(nest, list) else nest.update(content)


def _mutable(nest: Any) -> Iterator[Any]:
    if is_sequence(nest):
        if isinstance(nest, list | dict):
            yield nest
        for child in _children(nest):
            yield from _mutable(child)


def convert_to_list(value: Any, n: int, name: str, dtype: type = int) -> list[Any]:
    """Return a value `n` times, or the `n` values that there are, as a list.

    Raises:
        ValueError: **length must be**, **type must be a list or tuple of**.
    """
    if isinstance(value, dtype):
        return [value] * n
    try:
        values = list(value)
    except TypeError:
        raise ValueError(f"The {name}'s type must be list or tuple. Received: {value}") from None
    if len(values) != n:
        raise ValueError(f"The {name}'s length must be {n}. Received: {value}")
    for one in values:
        if not isinstance(one, dtype):
            raise ValueError(
                f"The {name}'s type must be a list or tuple of {n} {dtype}. Received: {value} including element {one} "
                f"of type {type(one)}"
            )
    return values


def convert_shape_to_list(shape: Any) -> list[int]:
    """Return a shape as a list of ints; tensors become numbers."""
    sizes: Iterable[Any] = shape.tolist() if isinstance(shape, Tensor) else shape
    return [int(size.item()) if isinstance(size, Tensor) else int(size) for size in sizes]


def is_same_shape(shape1: Sequence[int], shape2: Sequence[int]) -> bool:
    """Return whether two shapes are equal, size by size."""
    return list(shape1) == list(shape2)


def check_shape(shape: Any) -> None:
    """Return if something may be a shape.

    Raises:
        TypeError: **must be integers**: a list holds something else.
        ValueError: **must be positive**, of a size below 0.
    """
    if not isinstance(shape, list | tuple):
        return
    for size in shape:
        if isinstance(size, Tensor):
            continue
        if not isinstance(size, int):
            raise TypeError("All elements in ``shape`` must be integers when it's a list or tuple")
        if size < 0:
            raise ValueError("All elements in ``shape`` must be positive when it's a list or tuple")


def strtobool(val: str) -> bool:
    """Return what a word means: y, yes, t, true, on, 1, or n, no, f, false, off, 0.

    Raises:
        ValueError: **Invalid truth value**.
    """
    lower = val.lower()
    if lower in ("y", "yes", "t", "true", "on", "1"):
        return True
    if lower in ("n", "no", "f", "false", "off", "0"):
        return False
    raise ValueError(f"Invalid truth value {val!r}")
