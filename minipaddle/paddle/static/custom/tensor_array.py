"""The functions of ``paddle.tensor.array`` while a Program is built: they append the Operators of lists."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Meta
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.ops.common.var_type import VarType
from minipaddle.paddle.framework.tensor_array import arrays_of_programs
from minipaddle.paddle.static.build import check_variable
from minipaddle.paddle.static.gradient.list_operators import (
    ArrayLength,
    ArrayToTensor,
    ReadFromArray,
    WriteToArray,
)
from minipaddle.paddle.static.program import Block, Variable, default_main_program


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
    held: Variable = _new(f"{name}.out", x.meta.dtype) if array is None else array
    _check_array(held, "array_write")
    before = None if held.op is None and held.block is _block() else held
    held.meta, held.stop_gradient = x.meta, held.stop_gradient and x.stop_gradient
    _block().add_op(WriteToArray(_block(), x, i, held, before))
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
