"""static.Print: an operator that prints its input, and the gradient of its output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.names.unique import numbered, unique_name
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.build import check_variable, static_only
from minipaddle.paddle.static.program import Block, Operator, Variable, current_block

if TYPE_CHECKING:
    from minipaddle.paddle.static.gradient.grad_maker import GradMaker


class PrintOperator(Operator):
    """Returns its input, and writes it to standard output."""

    def __init__(self, block: Block, given: Variable, out: Variable, attrs: dict[str, Any]) -> None:
        super().__init__(block, "print", {"In": [given]}, {"Out": [out]}, attrs)

    def kernel(self) -> Callable[..., Any]:
        """Return a function that prints a value and returns it."""
        attrs, (variable,) = self.attrs, self.inputs["In"]
        phase = "FORWARD" if attrs["is_forward"] else "BACKWARD"
        speaks = attrs["print_phase"] in (phase, "BOTH")
        turns = [0]

        def run(array: Array) -> Array:
            turns[0] += 1
            if speaks and (attrs["first_n"] < 0 or turns[0] <= attrs["first_n"]):
                sys.stdout.write(_text(variable.name, np.asarray(array), attrs))
            return array

        return run

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append the printing of the gradient."""
        result = maker.new_like(self.inputs["In"][0])
        op = PrintOperator(maker.block, grads[0], result, {**self.attrs, "is_forward": False})
        op.origin = self
        maker.append(op)
        return [result]


def _text(name: str, array: Array, attrs: dict[str, Any]) -> str:
    """Return the text that Paddle prints for a value."""
    count = array.size if attrs["summarize"] < 0 else attrs["summarize"]
    numbers = " ".join(
        f"{number:g}" if array.dtype.kind == "f" else str(number) for number in array.flat[:count]
    )
    lines = [f"Variable: {name}"] if attrs["print_tensor_name"] else []
    lines += [f"  - message: {attrs['message']}"] if attrs["message"] else []
    lines += ["  - lod: {}"] if attrs["print_tensor_lod"] else []
    lines += ["  - place: Place(cpu)"]
    lines += [f"  - shape: {list(array.shape)}"] if attrs["print_tensor_shape"] else []
    lines += ["  - layout: NCHW"] if attrs["print_tensor_layout"] else []
    lines += [f"  - dtype: {array.dtype.name}"] if attrs["print_tensor_type"] else []
    return "\n".join([*lines, f"  - data: [{numbers}]", ""])


def print_variable(
    input: Any,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Variable:
    """Return `input`; when the Program runs, write its value and its gradient's to standard output.

    Args:
        input: a Variable.
        first_n: the number of times to print; -1: always.
        message: a line to print before.
        summarize: the number of elements to show; -1: all.
        print_tensor_name: whether to show the name; the next four likewise.
        print_tensor_type: the data type.
        print_tensor_shape: the shape.
        print_tensor_layout: the layout.
        print_tensor_lod: the level of detail, which is empty.
        print_phase: "forward", "backward" or "both".

    Raises:
        TypeError: **input** is no Variable.
        ValueError: for another **print_phase**.
    """
    static_only("Print")
    check_variable(input, "input", "paddle.static.Print")
    if print_phase.upper() not in ("FORWARD", "BACKWARD", "BOTH"):
        raise failure(
            ValueError, f"print_phase must be 'forward', 'backward' or 'both', but is {print_phase!r}."
        )
    block = current_block()
    name = numbered(f"{unique_name('print')}.tmp")
    out: Variable = block.add(Variable(block, name, input.meta, stop_gradient=input.stop_gradient))
    attrs = {
        "first_n": first_n,
        "is_forward": True,
        "message": message or "",
        "print_phase": print_phase.upper(),
        "print_tensor_layout": print_tensor_layout,
        "print_tensor_lod": print_tensor_lod,
        "print_tensor_name": print_tensor_name,
        "print_tensor_shape": print_tensor_shape,
        "print_tensor_type": print_tensor_type,
        "summarize": summarize,
    }
    block.add_op(PrintOperator(block, input, out, attrs))
    return out


Print = print_variable
