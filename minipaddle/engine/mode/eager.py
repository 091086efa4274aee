"""Eager execution: an operator runs at once, and the call is recorded if somebody may ask for its gradient.

The first mode of every thread stands at the end: eager, recording. A shorter way for the commonest calls is
:mod:`minipaddle.engine.fast.quick`.

Next: :mod:`minipaddle.engine.tape.node`, the call as the tape keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from minipaddle.engine.errors import failure, locate, refused
from minipaddle.engine.mode.guard import Guard
from minipaddle.engine.mode.mode import Arrays, Mode, Saving
from minipaddle.engine.tape import memory
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node
from minipaddle.engine.value.meta import Array, Attrs, Shape, meta_of

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


class Eager(Mode):
    """Run the kernel now; record the call if recording is on and an input requires a gradient."""

    __slots__ = ("_other", "grad", "reading", "saving")

    reading: Arrays
    tensor: ClassVar[Any]
    """The class of results, handed in by :mod:`minipaddle.engine.tensor.tensor`, which lives above this room."""

    def __init__(self, grad: bool, saving: Saving | None = None) -> None:
        self.grad = grad
        self.saving = saving
        self._other: Eager | None = None
        self.reading = Arrays(self)
        """The one mode for running rules inside this one."""

    def with_grad(self, flag: bool) -> Eager:
        """Return this mode, or the one like it with recording switched over."""
        if flag is self.grad:
            return self
        if self._other is None:
            self._other = type(self)(flag, self.saving)
            self._other._other = self
        return self._other

    def with_saving(self, hooks: Saving) -> Eager:
        """Return an eager mode with these hooks."""
        return type(self)(self.grad, hooks)

    # -- a call ---------------------------------------------------------------------------------------------------

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel and return a Tensor, or a tuple of them."""
        try:
            arrays = arrays_of(op, inputs)
            made = op.run(*arrays, **attrs)
        except Exception as error:
            raise self.explained(error, op, inputs, attrs) from None
        results = [self.tensor(out) for out in (made if op.multiple else [made])]
        node = self._record(op, attrs, arrays, edges_of(inputs), [result.array for result in results])
        if not op.multiple:
            results[0].edge = node
            return results[0]
        if node is not None:
            for index in range(len(results)) if op.list_output else op.differentiable:
                results[index].edge = (node, index)
        return tuple(results)

    def _record(
        self,
        op: Operator,
        attrs: Attrs,
        arrays: Sequence[Any],
        edges: tuple[Edge | None, ...],
        outs: Sequence[Array],
    ) -> Node | None:
        """Return the node of a call; None if no gradient can be asked for."""
        plan = op.plan(edges) if self.grad and any(edges) else None
        if plan is None:
            return None
        saved = plan.save(arrays, outs if op.multiple else outs[0], attrs)
        node = Node(op, attrs, edges, plan, saved)
        if self.saving is not None:
            node.saved = self.saving.pack_saved(node, saved)
        if op.multiple:
            node.metas = [meta_of(out) for out in outs]
        return node

    # -- calls that write -----------------------------------------------------------------------------------------

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel and write its result into the first input, which gets a new history and a new version.

        Raises:
            ValueError: if the target is a leaf that requires a gradient, or the result does not fit into it.
        """
        if op.updates:
            return self._update(op, inputs, attrs)
        arrays, edges, target = arrays_of(op, inputs), edges_of(inputs), inputs[0]
        leaf = self.grad and type(target.edge) is AccumulateGrad
        if leaf and op.rules:  # where no gradient passes, a leaf may be written, and stays one
            raise locate(
                failure(
                    ValueError,
                    f"Leaf Var ({target.name}) that doesn't stop gradient can't use inplace strategy.",
                    "write to it under paddle.no_grad(), or use the operator without the trailing underscore",
                ),
                op.type,
            )
        recorded = self.grad and any(edges) and not leaf
        if recorded and not op.view:  # what the rules save of the target is its content before the write
            arrays = (arrays[0].copy(), *arrays[1:])
        try:
            out = np.asarray(op.run(*arrays, **attrs))
            self._store(op, target, out)
        except Exception as error:
            raise self.explained(error, op, inputs, attrs) from None
        if recorded:
            target.edge = self._record(op, attrs, arrays, edges, [target.array])
        return target

    def _store(self, op: Operator, target: Any, out: Array) -> None:
        if op.view:
            target.array = out if np.shares_memory(out, target.array) else out.reshape(out.shape)
            memory.note_write(target.array)
            return
        fits = out.shape == target.array.shape
        if not fits and not op.overwrites:
            raise enlarging(out.shape, target.array.shape)
        if fits and out.dtype == target.array.dtype:
            memory.ensure_writable(target)
            np.copyto(target.array, out)
        else:
            memory.take_over(out, target.array)
            target.array = out
        memory.note_write(target.array)

    def _update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Let the kernel write new content: no history, no new version, as after ``set_value``."""
        for position in op.updates:
            memory.ensure_writable(inputs[position])
        try:
            op.run(*[value.array for value in inputs], **attrs)
        except Exception as error:
            raise self.explained(error, op, inputs, attrs) from None
        return inputs[0]

    # -- errors ---------------------------------------------------------------------------------------------------

    def explained(self, error: Exception, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Exception:
        """Return the error that the operator's shape rule words for a call that failed, with the user's line.

        Inputs and shapes are checked only now: on good input the kernel itself is the check.
        """
        given = [*zip(op.input_names, inputs), *attrs.items()]
        try:
            arrays = arrays_of(op, inputs)
            op.infer_metas([None if array is None else meta_of(array) for array in arrays], attrs)
        except Exception as worded:
            error = worded
        told = refused(error, op.name, given)
        # its traceback would hold this frame, and so the inputs, in a cycle
        return locate(told.with_traceback(None), op.type)


def enlarging(shape: Shape, target: Shape) -> ValueError:
    """Return the error of a result that is larger than what it should be written into."""
    return failure(
        ValueError,
        f"The shape of broadcast output {list(shape)} is different from that of inplace tensor {list(target)}.",
        "an inplace operator may broadcast its operand into the target, never enlarge the target",
    )


def arrays_of(op: Operator, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arrays of inputs of which optional ones may be None.

    Raises:
        ValueError: **must be Tensor**, for what is none.
    """
    for position, value in enumerate(inputs):
        if value is None and position < len(op.input_names) and op.input_names[position] in op.optional:
            continue
        if not isinstance(value, Eager.tensor):
            name = op.input_names[min(position, len(op.input_names) - 1)]
            raise locate(
                failure(
                    ValueError,
                    f"{op.name}(): argument '{name}' (position {position}) must be Tensor, but got "
                    f"{type(value).__name__}.",
                    "wrap it with paddle.to_tensor(...)",
                ),
                op.type,
            )
    return tuple([None if value is None else value.array for value in inputs])


def edges_of(inputs: tuple[Any, ...]) -> tuple[Edge | None, ...]:
    """Return the edges of the inputs; None for those that stop gradients."""
    return tuple([None if value is None else value.edge for value in inputs])


# -- the mode of now ----------------------------------------------------------------------------------------------

EAGER = Eager(grad=True)
current: ContextVar[Mode] = ContextVar("mode", default=EAGER)
mode_now = current.get  # asked for by name: Python looks up a method of what is imported anew each time


def run_inside(mode: Mode, function: Callable[..., Any], *args: Any) -> Any:
    """Return what ``function(*args)`` answers in `mode`; afterwards the mode is what it was.

    A Ctrl-C may raise between any two instructions, also on the way out: hence the second clause.
    """
    before = current.get()
    try:
        try:
            current.set(mode)
            return function(*args)
        finally:
            current.set(before)
    except BaseException:
        current.set(before)
        raise


class within(Guard):
    """Make `mode` the current one for a ``with`` block."""

    def __init__(self, mode: Mode | None = None) -> None:
        super().__init__()
        self._mode = mode

    def enter(self) -> Mode:
        """Return the mode to enter."""
        return self._mode or current.get()

    def way_back(self) -> Callable[[], None]:
        """Return what brings back the mode of now."""
        return partial(current.reset, current.set(current.get()))

    def change(self) -> Mode:
        """Enter the mode."""
        current.set(mode := self.enter())
        return mode
