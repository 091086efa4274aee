"""DataFeeder: rows of examples as one array for each placeholder; and the checks that layers of Paddle's ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.meta import Array
from minipaddle.engine.names.missing import missing
from minipaddle.paddle.static.build.checks import building
from minipaddle.paddle.static.host_tensor import HostTensor
from minipaddle.paddle.static.program import Program, Variable, default_main_program

__all__ = ["DataFeeder", "check_dtype", "check_type", "check_variable_and_dtype", "convert_dtype"]


class DataFeeder:
    """Makes what ``Executor.run`` is fed of an iterable of examples, each a tuple with a value for each placeholder.

    Args:
        feed_list: the placeholders, or their names.
        place: accepted.
        program: where the names are looked up; None: the default main Program.

    Raises:
        TypeError: **Feed list should contain a list of variable**.
        ValueError: naming what is not in the Program.
    """

    def __init__(self, feed_list: Iterable[Any], place: Any = None, program: Program | None = None) -> None:
        block = (default_main_program() if program is None else program).block(0)
        self.place = place
        self.feed_list: list[Variable] = []
        for one in feed_list:
            variable = block.var(one) if isinstance(one, str) else one
            if not isinstance(variable, Variable):
                raise TypeError("Feed list should contain a list of variable")
            self.feed_list.append(variable)
        self.feed_names = [one.name for one in self.feed_list]

    def feed(self, iterable: Iterable[Sequence[Any]]) -> dict[str, HostTensor]:
        """Return a tensor for each placeholder, with an axis for the examples first.

        Raises:
            AssertionError: **number of fields in data**, where an example has another number of values.
        """
        columns: list[list[Any]] = [[] for _ in self.feed_list]
        for sample in iterable:
            count = len(sample)
            assert count == len(columns), (
                f"The number of fields in data ({count}) does not match len(feed_list) ({len(columns)})"
            )
            for column, value in zip(columns, sample):
                column.append(value)
        return {one.name: HostTensor(_stacked(one, column)) for one, column in zip(self.feed_list, columns)}


def _stacked(variable: Variable, values: Sequence[Any]) -> Array:
    """Return the values of a placeholder as one array, each in the declared shape if it has so many elements."""
    array = np.array(values, variable.meta.dtype)
    declared = variable.meta.shape
    if array.shape[1:] != declared[1:] and declared:
        return array.reshape((-1, *declared[1:]))
    return array


def convert_dtype(dtype: Any) -> str:
    """Return the name of a data type.

    Raises:
        TypeError: if it is none.
    """
    return as_numpy(dtype).name


def check_type(
    input: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = ""
) -> None:
    """Refuse what is of another type, while a Program is built.

    Raises:
        TypeError: **The type of**, naming both.
    """
    if building() and not isinstance(input, expected_type):
        raise TypeError(
            f"The type of '{input_name}' in {op_name} must be {expected_type}, but received {type(input)}. "
            f"{extra_message}"
        )


def check_dtype(
    input_dtype: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = ""
) -> None:
    """Refuse another data type, while a Program is built.

    Raises:
        TypeError: **The data type of**, naming both.
    """
    if building() and convert_dtype(input_dtype) not in expected_dtype:
        raise TypeError(
            f"The data type of '{input_name}' in {op_name} must be {expected_dtype}, but received "
            f"{convert_dtype(input_dtype)}. {extra_message}"
        )


def check_variable_and_dtype(
    input: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = ""
) -> None:
    """Refuse what is no Variable of one of these data types, while a Program is built; see :func:`check_dtype`."""
    check_type(input, input_name, Variable, op_name, extra_message)
    check_dtype(input.dtype, input_name, expected_dtype, op_name, extra_message)


__getattr__ = missing(__name__, __all__)
