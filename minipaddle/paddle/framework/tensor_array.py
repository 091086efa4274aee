"""paddle.tensor.array: lists of tensors by number, at once Python's own lists; and tensors to be written to."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.eager import current
from minipaddle.engine.core.extension import Point
from minipaddle.engine.names.unique import unique_name
from minipaddle.ops.creation.full import full
from minipaddle.ops.manipulation.concat import concat, stack

__all__ = [
    "array_length", "array_read", "array_write", "create_array", "create_tensor", "tensor_array_to_tensor",
]  # fmt: skip

arrays_of_programs = Point("lists of tensors while a Program is built")
empty_variable = Point("create_tensor while a Program is built")


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Any:
    """Return a tensor of no axes that is there to be written to, by ``paddle.assign(x, it)``; in a Program a Variable.

    Args:
        dtype: of it.
        name: by default ``create_tensor_N``.
        persistable: whether a Program's value stays after a run.
    """
    name = name or unique_name("create_tensor")
    if not current.get().dynamic:
        return empty_variable(dtype, name, persistable)
    found = full([], 0.0, dtype)
    found.name, found.persistable = name, persistable
    return found


def create_array(dtype: Any, initialized_list: Any = None) -> Any:
    """Return a list, empty or with the tensors of another; `dtype` is accepted.

    Raises:
        TypeError: **initialized_list** is no list or tuple.
    """
    if not current.get().dynamic:
        return arrays_of_programs().create_array(dtype, initialized_list)
    if initialized_list is not None and not isinstance(initialized_list, (list, tuple)):
        raise TypeError(
            f"Require type(initialized_list) should be list/tuple, but received {type(initialized_list)}"
        )
    return list(initialized_list or ())


def array_write(x: Any, i: Any, array: Any = None) -> Any:
    """Put `x` at the place `i` of a list, or behind its last; return the list, a new one if none is given.

    Raises:
        AssertionError: `i` is beyond the end, or has not one element.
    """
    if not current.get().dynamic:
        return arrays_of_programs().array_write(x, i, array)
    array = [] if array is None else array
    place = _place(i)
    assert place <= len(array), "The index i should not be greater than the length of array in dygraph mode"
    array[place : place + 1] = [x]
    return array


def array_read(array: Any, i: Any) -> Any:
    """Return what is at the place `i` of a list.

    Raises:
        IndexError: there is nothing.
        AssertionError: `i` has not one element.
    """
    if not current.get().dynamic:
        return arrays_of_programs().array_read(array, i)
    return array[_place(i)]


def array_length(array: Any) -> Any:
    """Return how many tensors a list has."""
    if not current.get().dynamic:
        return arrays_of_programs().array_length(array)
    return len(array)


def tensor_array_to_tensor(
    input: Any, axis: int = 1, use_stack: bool = False, name: str | None = None
) -> Any:
    """Return the tensors of a list joined along `axis`, or stacked, and how long each is along it, int64.

    Raises:
        AssertionError: **input** is no list.
    """
    if not current.get().dynamic:
        return arrays_of_programs().tensor_array_to_tensor(input, axis, use_stack)
    assert isinstance(input, list), "The 'input' in tensor_array_to_tensor must be list"
    lengths = [int(one.shape[axis]) for one in input]
    return stack(input, axis) if use_stack else concat(input, axis), to_tensor(lengths)


def _place(i: Any) -> int:
    assert len(i.shape) == 0 or list(i.shape) == [1], "The shape of index 'i' should be [1] in dygraph mode"
    return int(i.item())
