"""Eager calls that write into their first input, and the wording of errors in every eager call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import invalid, locate, refused
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tape import memory
from minipaddle.engine.tape.node import AccumulateGrad, arrays_of, edges_of
from minipaddle.engine.value.meta import Array, Attrs, Shape, meta_of

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


class Writing(Mode):
    """A mode in which a call may write at once; :mod:`minipaddle.engine.mode.eager` records it."""

    __slots__ = ()

    _record: Any

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel and write its result into the first input, which gets a new history and a new version.

        The kernel of an optimizer writes new content itself: no history, no new version, as after ``set_value``.

        Raises:
            ValueError: if the target is a leaf that requires a gradient, or the result does not fit into it.
        """
        for position in op.updates:
            memory.ensure_writable(inputs[position])
        arrays, edges, target = arrays_of(op, inputs), edges_of(inputs), inputs[0]
        leaf = self.grad and type(target.edge) is AccumulateGrad
        if leaf and op.rules:  # an operator without gradient rules may write to a leaf, which stays a leaf
            message = f"Leaf Var ({target.name}) that doesn't stop gradient can't use inplace strategy."
            hint = "write to it under paddle.no_grad(), or use the operator without the trailing underscore"
            raise locate(invalid(message, hint), op.type)
        recorded = self.grad and any(edges) and not leaf and not op.updates
        if recorded and not op.view:  # the rules save the target's content before the write
            arrays = (arrays[0].copy(), *arrays[1:])
        try:
            out = op.run(*arrays, **attrs)
            if not op.updates:
                self._store(op, target, np.asarray(out))
        except Exception as error:
            raise self.explained(error, op, inputs, attrs) from None
        if recorded:
            target.edge = self._record(op, attrs, arrays, edges, target.array)
        return target

    def _store(self, op: Operator, target: Any, out: Array) -> None:
        if op.view:
            target.array = out if np.shares_memory(out, target.array) else out.reshape(out.shape)
            memory.note_write(target.array)
            return
        fits = out.shape == target.array.shape
        if not fits and op.type != "assign_out_":  # it gives its target another shape
            raise enlarging(out.shape, target.array.shape)
        if fits and out.dtype == target.array.dtype:
            memory.ensure_writable(target)
            np.copyto(target.array, out)
        else:
            memory.take_over(target, out)
        memory.note_write(target.array)

    # -- errors ---------------------------------------------------------------------------------------------------

    def explained(self, error: Exception, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Exception:
        """Return the error for a failed call, worded by the operator's shape rule, with the user's line.

        Inputs and shapes are checked only now: on good input the kernel itself is the check.
        """
        given = [*zip(op.input_names, inputs), *attrs.items()]
        try:
            arrays = arrays_of(op, inputs)
            op.infer_metas([None if array is None else meta_of(array) for array in arrays], attrs)
        except Exception as worded:
            error = worded
        # its traceback would hold this frame, and so the inputs, in a cycle
        return locate(refused(error, op.name, given).with_traceback(None), op.type)


def enlarging(shape: Shape, target: Shape) -> ValueError:
    """Return the error for a result larger than the target of its in-place write."""
    return invalid(
        f"The shape of broadcast output {list(shape)} is different from that of inplace tensor {list(target)}.",
        "an inplace operator may broadcast its operand into the target, never enlarge the target",
    )
