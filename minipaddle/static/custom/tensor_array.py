"""Lists of tensors in a Program: Operators that write, read and count; as values they are tuples of arrays.

A list that nothing has written yet is empty. Gradients do not pass: what is read stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy
from minipaddle.core.errors import failure, locate
from minipaddle.core.meta import Array, Meta
from minipaddle.framework.tensor_array import arrays_of_programs
from minipaddle.names.unique import numbered, unique_name
from minipaddle.ops.common.var_type import VarType
from minipaddle.static.build import check_variable
from minipaddle.static.program import Block, Operator, Variable, default_main_program

Held = tuple[Any, ...]
"""The value of a list; None stands where nothing was written before a later place."""


class _ArrayOperator(Operator, in_files=False):
    """What the Operators of lists share."""

    def gradients(self, maker: Any, grads: list[Variable], wanted: Sequence[bool]) -> Sequence[Any]:
        """Refuse.

        Raises:
            RuntimeError: **gradient**.
        """
        raise locate(
            failure(
                RuntimeError,
                f"{self.type}: no gradient passes a list of tensors in a Program here.",
                "carry one tensor through paddle.static.nn.while_loop, and paddle.concat what is new",
            ),
            self.type,
            self.where,
        )


class WriteToArray(_ArrayOperator):
    """Puts a tensor to its place in a list, which grows as far as that."""

    def __init__(self, block: Block, x: Variable, i: Variable, array: Variable) -> None:
        super().__init__(block, "write_to_array", {"I": [i], "X": [x]}, {"Out": [array]}, {})

    def reads(self) -> list[Any]:
        """Return what it takes: the list as it was, too."""
        return [*self.inputs["X"], *self.inputs["I"], *self.outputs["Out"]]

    def kernel(self) -> Callable[..., Any]:
        """Return what gives the new list."""

        def write(x: Array, i: Array, held: Held) -> Held:
            place = int(i.item())
            more = (None,) * (place - len(held))
            return (*held[:place], *more, x.copy(), *held[place + 1 :])

        return write


class ReadFromArray(_ArrayOperator):
    """Gives the tensor at a place of a list."""

    def __init__(self, block: Block, array: Variable, i: Variable, out: Variable) -> None:
        super().__init__(block, "read_from_array", {"I": [i], "X": [array]}, {"Out": [out]}, {})

    def kernel(self) -> Callable[..., Any]:
        """Return what reads."""
        (array,) = self.inputs["X"]

        def read(i: Array, held: Held) -> Array:
            place = int(i.item())
            if not 0 <= place < len(held) or held[place] is None:
                raise failure(
                    IndexError,
                    f"There is nothing at place {place} of the list {array.name!r} of {len(held)}.",
                )
            found: Array = held[place]
            return found

        return read


class ArrayLength(_ArrayOperator):
    """Counts the tensors of a list."""

    def __init__(self, block: Block, array: Variable, out: Variable) -> None:
        super().__init__(block, "lod_array_length", {"X": [array]}, {"Out": [out]}, {})

    def kernel(self) -> Callable[..., Any]:
        """Return what counts."""
        return lambda held: np.array([len(held)])


class ArrayToTensor(_ArrayOperator):
    """Joins or stacks the tensors of a list."""

    def __init__(
        self, block: Block, array: Variable, outs: Sequence[Variable], axis: int, stacks: bool
    ) -> None:
        slots = {"Out": [outs[0]], "OutIndex": [outs[1]]}
        attrs = {"axis": axis, "use_stack": stacks}
        super().__init__(block, "tensor_array_to_tensor", {"X": [array]}, slots, attrs)

    def kernel(self) -> Callable[..., Any]:
        """Return what joins, and gives the length of each along the axis."""
        axis, stacks = self.attrs["axis"], self.attrs["use_stack"]

        def join(held: Held) -> tuple[Array, Array]:
            whole = np.stack(held, axis) if stacks else np.concatenate(held, axis)
            lengths = [1 if stacks else one.shape[axis] for one in held]
            return whole, np.array(lengths, np.int32)

        return join


# -- the functions of paddle.tensor.array ----------------------------------------------------------------------


def create_array(dtype: Any, initialized_list: Any = None) -> Variable:
    """Return a list, empty or with these Variables.

    Raises:
        TypeError: **initialized_list** is no list or tuple; **All values** of it are not Variables.
    """
    given = [] if initialized_list is None else initialized_list
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"Require type(initialized_list) should be list/tuple, but received {type(given)}")
    for one in given:
        if not isinstance(one, Variable):
            raise TypeError(f"All values in `initialized_list` should be Variable, but received {type(one)}.")
    array = _new(f"{unique_name('array')}.out", as_numpy(dtype))
    for one in given:
        array_write(one, array_length(array), array)
    return array


def array_write(x: Any, i: Any, array: Any = None) -> Variable:
    """Put `x` to the place `i` of a list, a new one if none is given; return the list.

    Raises:
        TypeError: **x**, **i** is no Variable, or that no int64; **array should be tensor array**.
    """
    name = unique_name("array_write")
    check_variable(x, "x", "array_write")
    _check_place(i, "array_write")
    if array is None:
        array = _new(f"{name}.out", x.meta.dtype)
    _check_array(array, "array_write")
    held: Variable = array
    held.meta, held.stop_gradient = x.meta, held.stop_gradient and x.stop_gradient
    _block().add_op(WriteToArray(_block(), x, i, held))
    return held


def array_read(array: Any, i: Any) -> Variable:
    """Return what is at the place `i` of a list; see :func:`array_write`."""
    _check_array(array, "array_read")
    _check_place(i, "array_read")
    out = _out("array_read", array.meta, array.stop_gradient)
    _block().add_op(ReadFromArray(_block(), array, i, out))
    return out


def array_length(array: Any) -> Variable:
    """Return how many tensors a list has, int64 [1]; see :func:`array_write`."""
    _check_array(array, "array_length")
    out = _out("array_length", Meta((1,), np.dtype("int64")), True)
    _block().add_op(ArrayLength(_block(), array, out))
    return out


def tensor_array_to_tensor(
    input: Any, axis: int = 1, use_stack: bool = False, name: str | None = None
) -> tuple[Variable, Variable]:
    """Return the tensors of a list joined along `axis`, or stacked, and how long each is along it, int32.

    Raises:
        TypeError: **array should be tensor array**.
    """
    _check_array(input, "tensor_array_to_tensor")
    shape = list(input.meta.shape)
    if use_stack:
        shape.insert(axis % (len(shape) + 1), -1)
    else:
        shape[axis] = -1
    owner = unique_name("tensor_array_to_tensor")
    metas = Meta(tuple(shape), input.meta.dtype), Meta((-1,), np.dtype("int32"))
    block = _block()
    outs = [
        block.add(Variable(block, numbered(f"{owner}.tmp"), meta, stop_gradient=input.stop_gradient or n > 0))
        for n, meta in enumerate(metas)
    ]
    block.add_op(ArrayToTensor(block, input, outs, axis, use_stack))
    return outs[0], outs[1]


def _block() -> Block:
    return default_main_program().current_block()


def _new(name: str, dtype: np.dtype[Any]) -> Variable:
    """Return a new list."""
    made: Variable = _block().add(
        Variable(_block(), name, Meta((), dtype), stop_gradient=True, type=VarType.LOD_TENSOR_ARRAY)
    )
    return made


def _out(function: str, meta: Meta, stop_gradient: bool) -> Variable:
    name = numbered(f"{unique_name(function)}.tmp")
    made: Variable = _block().add(Variable(_block(), name, meta, stop_gradient=stop_gradient))
    return made


def _check_place(i: Any, function: str) -> None:
    check_variable(i, "i", function)
    if i.meta.dtype != np.int64:
        raise failure(
            TypeError, f"The data type of 'i' in {function} must be ['int64'], but received {i.meta.dtype}."
        )


def _check_array(array: Any, function: str) -> None:
    if not isinstance(array, Variable) or array.type is not VarType.LOD_TENSOR_ARRAY:
        raise failure(
            TypeError,
            f"array should be tensor array variable in {function}, but received {type(array)}.",
            "paddle.tensor.create_array and array_write make one",
        )


FUNCTIONS = SimpleNamespace(
    create_array=create_array,
    array_write=array_write,
    array_read=array_read,
    array_length=array_length,
    tensor_array_to_tensor=tensor_array_to_tensor,
)


@arrays_of_programs.filled
def functions() -> SimpleNamespace:
    """Return what the functions of ``paddle.tensor.array`` do while a Program is built."""
    return FUNCTIONS
