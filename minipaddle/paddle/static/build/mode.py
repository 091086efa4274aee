"""Building: the mode in which applying an operator appends it to a Program.

``paddle.enable_static()`` makes it the current one. An operator's shape rule gives the Meta of its outputs, the table
gives types, slots and attributes; nothing is computed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from inspect import unwrap
from types import FrameType
from typing import Any

from minipaddle.engine.errors import ENGINE, Line, failure, invalid, locate, refused, user_frame
from minipaddle.engine.extension_point import Point
from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.operator.custom import OnTape
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.value.meta import Attrs, Meta
from minipaddle.ops.creation.assign import assign_op, assign_out
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.traits import is_random
from minipaddle.ops.indexing.index import setitem_inplace
from minipaddle.ops.methods import InplaceMethods
from minipaddle.paddle.static.build.parameters import new_parameter
from minipaddle.paddle.static.program import Block, TableOperator, Variable, current_block
from minipaddle.paddle.static.program import numberless as points
from minipaddle.paddle.static.program.naming import LAYERS, has_name, layer_of, name_outputs
from minipaddle.paddle.static.program.operator import Place
from minipaddle.paddle.static.program.program import DEFAULTS
from minipaddle.paddle.static.program.table_operator import plain

append_py_layer = Point("append_py_layer")
"""Append a PyLayer's call: filled by static/custom."""


class Building(Mode):
    """Append operators to the current Block of the default main Program."""

    __slots__ = ("grad", "saving")

    dynamic = False
    new_parameter = staticmethod(new_parameter)
    as_eager = False
    """Whether Variables are written in place like Tensors; their hooks get Tensors, also of Operators before."""

    def __init__(self, grad: bool = True) -> None:
        self.grad = grad
        self.saving = None

    def with_grad(self, flag: bool) -> Building:
        """Return this mode: ``no_grad`` does nothing in a Program, as in Paddle 2.6.2 (3.3.1 stops gradients)."""
        return self

    def with_saving(self, hooks: Any) -> Building:
        """Raise: a Program keeps values itself.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("paddle.autograd.saved_tensors_hooks works in dynamic mode only.")

    def apply(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Append a call of `op` and return the Variables that it writes."""
        block = DEFAULTS[0].blocks[DEFAULTS[0].current_block_idx]
        where, named, layer, place = _call_site()
        if attrs.get("seed", 0) is None and is_random(op):
            attrs = {**attrs, "seed": block.program.random_seed or None}
        variables = [self.input(op, position, value, where) for position, value in enumerate(inputs)]
        metas = _infer(op, block, variables, attrs, where)
        stops = not self.grad or not op.rules or all(one is None or one.stop_gradient for one in variables)
        shown = printed(op)
        if shown.shape_slot:
            metas.append(Meta((0, *variables[0].shape), variables[0].meta.dtype))
        names = name_outputs(shown, len(metas), named, layer)
        passive = set(range(len(op.output_names))).difference(op.differentiable) if op.multiple else set()
        passive |= {place for place, meta in enumerate(metas) if op.multiple and meta.dtype.kind not in "fc"}
        outs = [
            block.add(Variable(block, name, meta, stop_gradient=stops or place in passive))
            for place, (name, meta) in enumerate(zip(names, metas, strict=True))
        ]
        made = _append(block, op, variables, outs, attrs, where)
        made.place = place
        if named is not None and layer is None:
            has_name(named, made)
        return tuple(outs) if op.multiple else outs[0]

    def apply_inplace(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Append a call of `op` that writes to its first input, or its updated inputs; return the first input."""
        block = current_block()
        where, *_ = _call_site()
        variables = [self.input(op, position, value, where) for position, value in enumerate(inputs)]
        target = variables[0]
        if op.updates:
            _append(block, op, variables, [variables[position] for position in op.updates], attrs, where)
            return target
        _infer(op, block, variables, attrs, where)
        if op is assign_out:  # a Program has no operator of its own for that
            op, variables = assign_op, variables[1:]
            unique_name(printed(assign_op).kind)  # it counts among the assigns
        _append(block, op, variables, [target], attrs, where)
        return target

    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Append a PyLayer as a ``pylayer`` operator."""
        assert op.type == "pylayer", f"{op.name} cannot become part of a Program"
        return append_py_layer(op)

    def input(self, op: Definition, position: int, value: Any, where: Line | None) -> Any:
        """Return an input as a Variable.

        Raises:
            TypeError: for other values.
        """
        if isinstance(value, Variable):
            return value
        name = op.input_names[min(position, len(op.input_names) - 1)]
        if value is None and name in op.optional:
            return None
        raise locate(
            failure(
                TypeError,
                f"The type of '{name}' in {op.name} must be Variable, but received {type(value)}.",
                "declare a placeholder with paddle.static.data, or make a constant with paddle.assign(array)",
            ),
            op.type,
            where,
        )


BUILDING = Building()


def innermost() -> Mode:
    """Return the mode that runs or builds, without observing modes."""
    *_, mode = current.get().layers()
    return mode


def _append(
    block: Block, op: Definition, ins: list[Any], outs: list[Any], attrs: Attrs, where: Line | None
) -> TableOperator:
    call = TableOperator(block, op, ins, outs, attrs)
    call.where = where
    block.add_op(call)
    return call


def _infer(
    op: Definition, block: Block, variables: list[Any], attrs: Attrs, where: Line | None
) -> list[Meta]:
    """Return the Meta of each output, or raise the shape rule's error, with the user's line.

    Raises:
        ValueError: for a Variable of another Program.
    """
    for value in variables:
        if value is not None and value.block.program is not block.program:
            raise locate(
                invalid(
                    f"The Variable {value.name!r} belongs to another Program than the one that is built now.",
                    "build within paddle.static.program_guard(that_program)",
                ),
                op.type,
                where,
            )
    try:
        metas, known = [None if one is None else one.meta for one in variables], plain(attrs)
        if op.list_slot is None and (not metas or metas[0] is None or metas[0].dtype.kind in op.kinds):
            found = op.infer(*metas, **known)
        else:
            found = op.infer_metas(metas, known)  # sorts a list, or refuses the kind
    except Exception as error:
        told = refused(error, op.name, [*zip(op.input_names, variables), *attrs.items()])
        raise locate(told, op.type, where) from None
    return list(found) if op.multiple else [found]


def _call_site() -> tuple[Line | None, FrameType | None, str | None, Place | None]:
    """Return the user's line, the call of ours there if he gave it a ``name=``, its layer, its place.

    Eager execution needs no names, so functions do not pass them to the operators that they apply;
    here they are read where the user wrote them.
    """
    frame: FrameType | None = sys._getframe(2)
    user = user_frame(frame)
    named, part = None, None
    while frame is not user and frame is not None and frame.f_code.co_filename.startswith(ENGINE[0]):
        code = frame.f_code
        part = frame if part is None and code in LAYERS else part
        named = frame if "name" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] else named
        frame = frame.f_back
    if named is not None and not isinstance(named.f_locals["name"], str):
        named = None
    line = Line(user.f_code.co_filename, user.f_lineno, user.f_code.co_name) if user else None
    place = (user.f_code, user.f_lasti) if user else None
    return line, named, None if part is None else layer_of(part, named), place


# -- what Variables of a traced function can do besides: be written into, as the Tensors that they stand for -----------


def _traced() -> bool:
    """Whether the current Program is traced from a function of Tensors."""
    mode = innermost()
    return isinstance(mode, Building) and mode.as_eager


@points.write_at.filled
def write_at(written: Any, index: Any, value: Any) -> bool:
    """Append ``written[index] = value``; return whether that is possible."""
    if _traced():
        setitem_inplace(written, index, value)
        return True
    return False


@points.in_place.filled
def in_place(written: Any, name: str) -> Any:
    """Return the method ``written.add_``, or None if there is none."""
    method = getattr(InplaceMethods, name, None)
    if method is None or not _traced():
        return method and partial(method, written)

    def write(*args: Any, **options: Any) -> Any:
        result = unwrap(method)(written, *args, **options)
        return current.get().apply_inplace(assign_out, (written, result), {})

    return write
