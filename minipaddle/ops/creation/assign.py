"""Copies: assign, values written out in a Program, memory shared."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.ops.creation.convert import array_from
from minipaddle.ops.definition import Array, Attrs, Meta, failure, mark, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, Metas, code_of, derived, dtype_of_code, listed

_LISTED_AS = {"b": "bool_values", **dict.fromkeys("iu", "int32_values"), **dict.fromkeys("fc", "fp32_values")}


class Values(Listing):
    """A printed array: its shape, its type, and its numbers in one of five lists."""

    def __init__(self) -> None:
        empty: Attrs = {
            name: [] for name in ("bool_values", "fp32_values", "fp64_values", "int32_values", "int64_values")
        }
        super().__init__(
            "values",
            shape=derived(lambda attrs, metas: list(attrs["values"].shape)),
            dtype=derived(lambda attrs, metas: code_of(attrs["values"].dtype)),
            **empty,
        )

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Return attributes with the numbers in their type's list."""
        values = attrs["values"]
        return {**super().write(attrs, metas), _list_of(values.dtype): values.reshape(-1).tolist()}

    def read(self, listed: Attrs) -> Attrs:
        """Return attributes with the array of the list for ``dtype``."""
        dtype = dtype_of_code(listed["dtype"])
        return {"values": np.asarray(listed.get(_list_of(dtype), []), dtype).reshape(listed["shape"])}


def _list_of(dtype: np.dtype[Any]) -> str:
    names = {"float64": "fp64_values", "int64": "int64_values"}
    return names.get(dtype.name) or _LISTED_AS[dtype.kind]


@listed(Values(), kind="assign")
@tried_with(lambda rng: ([], {"values": rng.uniform(size=(2, 3))}))
@operator("assign_value", infer=lambda values: Meta(values.shape, values.dtype))
def assign_value(*, values: Array) -> Array:
    """Make a tensor of given numbers."""
    return values.copy()


def constant(data: Any) -> Any:
    """Return `data`, an array, a list or a number, as a tensor of the current mode."""
    return assign_value(values=array_from(data))


@operator("assign")
def assign_op(x: Array) -> Any:
    """Copy; the gradient passes as it is. Also ``Tensor.clone()``."""
    return x.copy()


mark("same numbers", assign_op)
assign_op.gradient("x", program=lambda dy: assign_op(dy))(lambda dy: dy)


@operator("share_data", name="detach")
def share_data(x: Array) -> Array:
    """Copy, and stop gradients: ``detach()`` in a Program."""
    return x.copy()


@listed(kind="tmp", bare=True)
@operator("memcpy")
def memcpy(x: Array, *, dst_place_type: int = 0) -> Array:
    """Copy to another device: ``cpu()`` and ``cuda()`` of a Variable. There is one device; gradients stop."""
    return x.copy()


@operator("assign_out_", name="assign", infer=lambda output, x: x)
def assign_out(output: Array, x: Array) -> Array:
    """Copy `x` into `output`: recorded by ``assign(x, output)``. The overwritten value gets no gradient."""
    return x.copy()


assign_out.gradient("x")(lambda dy: dy)


def assign(x: Any, output: Any = None) -> Any:
    """Copy a Tensor, an array, a list or a number into a new Tensor, or into `output`.

    Args:
        x: what to copy. Unlike in ``to_tensor``, Python floats become float64, and a number gets an axis.
        output: a Tensor that receives the copy, its shape and type; its version goes up by one. A
            leaf that requires gradient stays one, as in Paddle.
    """
    if not hasattr(x, "stop_gradient"):
        x = np.array([x] if isinstance(x, (bool, int, float)) else x)
        if x.dtype == object:
            raise failure(TypeError, "The type of received input == `object`: no Tensor holds objects.")
        x = constant(x)
        if output is None:
            return x
    if output is None:
        return assign_op(x)
    mode = current.get()
    writing_a_leaf = mode.dynamic and not output.stop_gradient and output.is_leaf
    return run_inside(mode.with_grad(False) if writing_a_leaf else mode, assign_out.bind_inplace, output, x)
