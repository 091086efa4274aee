"""Assert: an operator that stops the run if a condition is false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import invalid, locate
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.build import check_variable, static_only
from minipaddle.paddle.static.program import Block, Operator, Variable, current_block

if TYPE_CHECKING:
    from minipaddle.paddle.static.gradient.grad_maker import GradMaker


class AssertOperator(Operator):
    """Raises if its condition is false, with a message or the values of `data`."""

    full_slots = ("Cond", "Data")

    def __init__(
        self, block: Block, condition: Variable, data: Sequence[Variable], attrs: dict[str, Any]
    ) -> None:
        super().__init__(block, "assert", {"Cond": [condition], "Data": list(data)}, {}, attrs)

    def compute(self, condition: Array, *data: Array) -> tuple[()]:
        """Return no outputs, if the condition is true."""
        if bool(np.all(condition)):
            return ()
        values = [array.reshape(-1)[: self.attrs["summarize"]].tolist() for array in data]
        said = self.attrs["message"] or f"The condition {self.inputs['Cond'][0].name!r} is false."
        told = f" data: {', '.join(map(str, values))}" if values else ""
        raise locate(invalid(f"Assertion failed: {said}{told}"), self.type, self.where)

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Return no gradients."""
        return [None] * len(self.reads())


def assert_true(
    cond: Any, data: Any = None, summarize: int = 20, name: str | None = None, message: str = ""
) -> AssertOperator:
    """Append an assert that stops the run if `cond` is false, printing `data`.

    Args:
        cond: bool, with one element.
        data: list or tuple of tensors to show.

    Raises:
        TypeError: **cond** is no bool Variable, or **data** no list.
        ValueError: when the Program runs, if `cond` is false.
    """
    static_only("Assert")
    check_variable(cond, "cond", "static.nn.control_flow.Assert", "b")
    if data is not None and not isinstance(data, (list, tuple)):
        raise TypeError(
            f"The type of 'data' in static.nn.control_flow.Assert must be list or tuple, not {type(data)}."
        )
    block = current_block()
    shown = [check_variable(one, "data", "static.nn.control_flow.Assert") for one in data or ()]
    op = AssertOperator(block, cond, shown, {"summarize": summarize, "message": message})
    block.add_op(op)
    return op


Assert = assert_true
