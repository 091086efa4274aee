"""dynamic_decode in a Program: a while whose Block writes what each step says to lists of tensors."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.creation.assign import assign
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full, zeros_like
from minipaddle.ops.logic.compare import less_equal
from minipaddle.ops.logic.logical import all, logical_and, logical_not
from minipaddle.ops.math.scale import increment
from minipaddle.paddle.nn.decode import Decoder, advanced, mapped
from minipaddle.paddle.static.control_flow.while_block import While
from minipaddle.paddle.static.custom.tensor_array import array_write, create_array, tensor_array_to_tensor
from minipaddle.paddle.static.program import Block, default_main_program


def walked_in_program(
    decoder: Decoder, inits: Any, max_step_num: int | None, impute_finished: bool, options: dict[str, Any]
) -> tuple[Any, Any, Any]:
    """Append steps until all have ended; return the outputs of all, stacked, the last states and the lengths."""
    inputs, states, finished = (mapped(assign, one) for one in decoder.initialize(inits))
    time, lengths = full([1], 0, "int64"), cast(zeros_like(finished), "int64")
    around = default_main_program().current_block()
    going = logical_not(all(finished))
    loop = While(going)
    with loop.block():
        output, after, following, ended = decoder.step(time, inputs, states, **options)
        changed = advanced(
            decoder, states, after, finished, ended, lengths, impute_finished, last_counts=True
        )
        written = mapped(lambda one: array_write(one, time, _list_of(one, around)), output)
        increment(time)
        mapped(assign, (following, *changed), (inputs, states, finished, lengths))
        more = logical_not(all(finished))
        if max_step_num is not None:
            more = logical_and(more, less_equal(time, full([1], max_step_num, "int64")))
        assign(more, going)
    whole = mapped(lambda one: tensor_array_to_tensor(one, axis=0, use_stack=True)[0], written)
    return whole, states, lengths


def _list_of(one: Any, around: Block) -> Any:
    """Return a new list outside of the loop."""
    with around.program.in_block(around):
        return create_array(one.dtype)
