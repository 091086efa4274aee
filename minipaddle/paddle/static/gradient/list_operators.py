"""The Operators of lists of tensors: they write, read, count, join and add up; as values lists are tuples of arrays.

A list that nothing has written yet is empty. The gradient of a list is a list, too: what is missing in it is zeros.
As in Paddle reading is the gradient of writing, and writing that of reading; but what is written over gets none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array
from minipaddle.paddle.static.program import Block, Operator, Variable
from minipaddle.paddle.static.program.block_operator import Held, added

if TYPE_CHECKING:
    from minipaddle.paddle.static.gradient.grad_maker import GradMaker


class WriteToArray(Operator, in_files=False):
    """Puts a tensor to its place in a list, which grows as far as that.

    `before` is the list as it was, by default `array` itself; None: nothing.
    """

    parts = ("before",)
    sequences_slot = "X"

    def __init__(
        self, block: Block, x: Variable, i: Variable, array: Variable, before: Variable | None
    ) -> None:
        super().__init__(block, "write_to_array", {"I": [i], "X": [x]}, {"Out": [array]}, {})
        self.before = before

    def reads(self) -> list[Any]:
        """Return what it takes: the list as it was, too."""
        return [*self.inputs["X"], *self.inputs["I"], self.before]

    def compute(self, x: Array, i: Array, before: Held | None) -> Held:
        """Return the new list."""
        place, held = int(i.item()), before or ()
        more = (None,) * (place - len(held))
        return (*held[:place], *more, x.copy(), *held[place + 1 :])

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append what reads the gradient of `x`, and takes it out of that of the list."""
        x, _, before = self.reads()
        out, rest = (
            maker.new_like(one) if yes else None for one, yes in ((x, wanted[0]), (before, wanted[2]))
        )
        maker.append(ReadWritten(maker.block, self, grads[0], out, rest))
        return [out, None, rest]


def _at(place: int, held: Held, array: Variable) -> Array:
    """Return what is at a place of a list.

    Raises:
        IndexError: there is nothing.
    """
    found = held[place] if 0 <= place < len(held) else None
    if found is None:
        raise failure(
            IndexError, f"There is nothing at place {place} of the list {array.name!r} of {len(held)}."
        )
    return found


class ReadWritten(Operator, in_files=False):
    """The gradient of :class:`WriteToArray`: what is at the place, zeros if nothing is; and the list without it."""

    parts = ("out", "rest")

    def __init__(
        self, block: Block, origin: WriteToArray, grad: Variable, out: Variable | None, rest: Variable | None
    ) -> None:
        inputs = {"I": origin.inputs["I"], "X": [grad], "X_W": origin.inputs["X"]}
        super().__init__(block, "read_from_array", inputs, {"Out": [out]}, {})
        self.origin, self.where, self.out, self.rest = origin, origin.where, out, rest

    def writes(self) -> list[Variable]:
        """Return what it writes: the rest of the list, too."""
        return [one for one in (self.out, self.rest) if one is not None]

    def compute(self, i: Array, grad: Held, x: Array) -> Any:
        """Return what is at the place, and the list without it: what is wanted of the two."""
        place = int(i.item())
        there = place < len(grad) and grad[place] is not None
        found = grad[place] if there else np.zeros_like(x)
        rest = (*grad[:place], None, *grad[place + 1 :]) if there else grad
        results = [one for one, out in zip((found, rest), (self.out, self.rest)) if out is not None]
        return results[0] if len(results) == 1 else results

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append what puts the gradient of the one back into that of the rest."""
        (i,), (grad,) = self.inputs["I"], self.inputs["X"]
        given = dict(zip(self.writes(), grads))
        incoming, rest = (None if one is None else given.get(one) for one in (self.out, self.rest))
        if incoming is None:
            return [None, rest if wanted[1] else None, None]
        made = maker.new_like(grad)
        maker.append(WriteToArray(maker.block, incoming, i, made, rest))
        return [None, made, None]


class ReadFromArray(Operator, in_files=False):
    """Gives the tensor at a place of a list."""

    sequences_slot = "X"

    def __init__(self, block: Block, array: Variable, i: Variable, out: Variable) -> None:
        super().__init__(block, "read_from_array", {"I": [i], "X": [array]}, {"Out": [out]}, {})

    def compute(self, i: Array, held: Held) -> Array:
        """Return the tensor."""
        return _at(int(i.item()), held, self.inputs["X"][0])

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append what writes the gradient to its place in a new list."""
        (i,), (array,) = self.inputs["I"], self.inputs["X"]
        made = maker.new_like(array)
        op = WriteToArray(maker.block, grads[0], i, made, None)
        op.origin, op.where = self, self.where
        maker.append(op)
        return [None, made]


class ArrayLength(Operator, in_files=False):
    """Counts the tensors of a list."""

    def __init__(self, block: Block, array: Variable, out: Variable) -> None:
        super().__init__(block, "lod_array_length", {"X": [array]}, {"Out": [out]}, {})

    def compute(self, held: Held) -> Array:
        """Return how many they are."""
        return np.array([len(held)])

    @property
    def flows(self) -> bool:
        """A gradient may not pass: it is a count."""
        return False


class ArrayToTensor(Operator, in_files=False):
    """Joins or stacks the tensors of a list."""

    def __init__(
        self, block: Block, array: Variable, outs: Sequence[Variable], axis: int, stacks: bool
    ) -> None:
        slots = {"Out": [outs[0]], "OutIndex": [outs[1]]}
        attrs = {"axis": axis, "use_stack": stacks}
        super().__init__(block, "tensor_array_to_tensor", {"X": [array]}, slots, attrs)

    def compute(self, given: Held) -> tuple[Array, Array]:
        """Return them joined, and the length of each along the axis."""
        axis, stacks, (array,) = self.attrs["axis"], self.attrs["use_stack"], self.inputs["X"]
        held = [_at(place, given, array) for place in range(len(given))]
        whole = np.stack(held, axis) if stacks else np.concatenate(held, axis)
        lengths = [1 if stacks else one.shape[axis] for one in held]
        return whole, np.array(lengths, np.int32)

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append what cuts the gradient into those of the tensors."""
        made = maker.new_like(self.inputs["X"][0])
        maker.append(CutIntoArray(maker.block, self, grads[0], made))
        return [made]


class CutIntoArray(Operator, in_files=False):
    """The gradient of :class:`ArrayToTensor`."""

    parts = ("lengths",)

    def __init__(self, block: Block, origin: ArrayToTensor, grad: Variable, out: Variable) -> None:
        inputs = {"Out@GRAD": [grad], "X": origin.inputs["X"]}
        super().__init__(block, "tensor_array_to_tensor_grad", inputs, {"X@GRAD": [out]}, origin.attrs)
        self.origin, self.where = origin, origin.where
        (self.lengths,) = origin.outputs["OutIndex"]

    def reads(self) -> list[Any]:
        """Return what it takes: of the list the lengths are enough."""
        return [*self.inputs["Out@GRAD"], self.lengths]

    def compute(self, grad: Array, lengths: Array) -> Held:
        """Return the pieces."""
        axis, stacks = self.attrs["axis"], self.attrs["use_stack"]
        pieces = np.split(grad, np.cumsum(lengths)[:-1], axis)
        return tuple([piece.squeeze(axis) if stacks else piece for piece in pieces])


class ListSum(Operator, in_files=False):
    """Adds up lists, place by place: the gradients that arrive at one list."""

    def __init__(self, block: Block, lists: Sequence[Variable], out: Variable) -> None:
        super().__init__(block, "sum", {"X": list(lists)}, {"Out": [out]}, {})

    def compute(self, *lists: Held) -> Held:
        """Return the sum."""
        return reduce(added, lists)

    def gradients(self, maker: GradMaker, grads: list[Any], wanted: Sequence[bool]) -> Sequence[Any]:
        """Hand the gradient on: it is that of each."""
        return [grads[0] if one else None for one in wanted]
