"""Persistable Variables: parameters and globals, with their initialization in the startup program."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.tensor.creation import to_variable
from minipaddle.engine.value.dtype import as_numpy, default_float
from minipaddle.ops.creation.assign import assign_op, assign_value, share_data
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.convert import array_from
from minipaddle.ops.manipulation.concat import stack
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.initializer.initializer import Initializer
from minipaddle.paddle.nn.parameter.create import ParameterSpec
from minipaddle.paddle.static.build.checks import static_only
from minipaddle.paddle.static.program import Parameter, Program, TableOperator, Variable, meta_from
from minipaddle.paddle.static.program import block as points
from minipaddle.paddle.static.program.program import DEFAULTS
from minipaddle.paddle.static.pytree import flat


def new_parameter(spec: ParameterSpec) -> Parameter:
    """Make a parameter in the main and in the startup program, where its initializer writes it.

    The same name and shape again return the existing parameter.
    """
    attr, rate = spec.attr, {"learning_rate": spec.attr.learning_rate}
    made, started = (
        program.blocks[0].create_parameter(
            spec.shape, spec.dtype, spec.name, attr.trainable, rate, attr.regularizer, attr.need_clip
        )
        for program in DEFAULTS
    )
    if started.op is None:
        start_with(started, spec.initializer)
    return made


@points.start_with.filled
def start_with(variable: Variable, initializer: Any) -> None:
    """Append to the Block of `variable` the operator with which `initializer` writes it."""
    if not isinstance(initializer, Initializer):
        initializer(variable, variable.block)  # a user function
        return
    definition, attrs = initializer.call(*variable.meta)
    attrs = {**definition.defaults, **attrs}
    if "seed" in attrs:
        attrs["seed"] = variable.block.program.random_seed
    variable.block.add_op(TableOperator(variable.block, definition, [], [variable], attrs))


def create_global_var(
    shape: Any,
    value: float,
    dtype: Any,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Variable:
    """Make a Variable in the global block that starts with `value`, written by the startup program.

    Raises:
        TypeError: **shape** or **dtype** is invalid.
    """
    static_only("create_global_var")
    meta = meta_from(shape, dtype)
    main, startup = DEFAULTS
    made = main.blocks[0].create_var(name, meta.shape, meta.dtype, persistable, stop_gradient=True)
    return _started(made, value, startup)


def _started(variable: Variable, value: float, startup: Program) -> Variable:
    """Let `startup` fill a persistable Variable with one number, unless it already does; return the Variable."""
    block = startup.global_block()
    started = block.create_var(variable.name, variable.shape, variable.meta.dtype, True, stop_gradient=True)
    if started.op is None:
        start_with(started, Constant(value))
    return variable


def new_state(name: str, shape: Any, dtype: Any, value: float, main: Program, startup: Program) -> Variable:
    """Return new optimizer state: a persistable Variable that starts with `value`."""
    made = main.global_block().create_var(name, shape, dtype, persistable=True)
    return _started(made, value, startup)


def data(name: str, shape: Any, dtype: Any = None, lod_level: int = 0) -> Variable:
    """Return a new placeholder in the global Block, to be fed.

    Args:
        shape: sizes; None or -1 for sizes that differ between runs.
        dtype: None: the default float type.

    Raises:
        TypeError: **name** is no string, or **shape** no list or tuple.
        ValueError: **shape** or **data type** differs from an earlier declaration; **lod_level** is not 0.
    """
    static_only("data")
    if not isinstance(name, str):
        raise TypeError(f"The type of 'name' in static.data must be str, but received {type(name).__name__}.")
    if lod_level:
        raise invalid(
            f"lod_level={lod_level}: sequences of different lengths in one tensor work in PaddlePaddle 2 only.",
            "pad them to one length, and feed the lengths beside them",
        )
    meta = meta_from(shape, default_float() if dtype is None else dtype)
    return DEFAULTS[0].blocks[0].declared(name, meta, stop_gradient=True, is_data=True)


@to_variable.filled
def variable_of(data: Any, dtype: Any = None, stop_gradient: bool = True) -> Variable:
    """Return the result of ``paddle.to_tensor`` in a Program: a constant, or a stack of Variables in lists.

    A Variable is returned as it is if its dtype and `stop_gradient` are as wanted; else it is cast or copied.
    """
    found: Any = data
    if isinstance(data, (list, tuple)) and any(isinstance(leaf, Variable) for leaf in flat(data)):
        found = assign_op(stack([variable_of(item, dtype, stop_gradient) for item in data]))
    elif not isinstance(data, Variable):
        found = assign_value(values=array_from(data, dtype))
    elif dtype is not None and as_numpy(dtype) != data.meta.dtype:
        found = cast(data, dtype)
    elif data.stop_gradient != stop_gradient:
        found = share_data(data) if stop_gradient else assign_op(data)
    found.stop_gradient = stop_gradient
    made: Variable = found
    return made
