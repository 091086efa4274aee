"""Eager execution: an operator runs at once, and the call is recorded if its gradient may be needed.

The first mode of every thread, eager and recording, is at the end. A shorter way for the commonest calls is
:mod:`minipaddle.engine.fast.quick`.

Next: :mod:`minipaddle.engine.tape.node`, the call as the tape keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from minipaddle.engine.mode.guard import Guard
from minipaddle.engine.mode.in_place import Writing
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.engine.operator.plan import plan_of
from minipaddle.engine.tape.node import Edges, Node, arrays_of, edges_of
from minipaddle.engine.value.meta import Attrs, meta_of

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


class Arrays(Around):
    """Operators run their kernels on plain arrays: the mode in which gradient rules run.

    User code (a PyLayer's backward, hooks) runs in the mode around the walk, which is the inner one here.
    """

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel."""
        return op.run(*inputs, **attrs)


Mode.reading = property(Arrays)


class Eager(Writing):
    """Run the kernel now; record the call if recording is on and an input requires a gradient."""

    __slots__ = ("_other", "grad", "reading", "saving")

    tensor: ClassVar[Any]
    """The class of results, set by :mod:`minipaddle.engine.tensor.tensor`, which is above this room."""

    def __init__(self, grad: bool, saving: Any = None, other: Eager | None = None) -> None:
        self.grad, self.saving = grad, saving
        self.reading = Arrays(self)
        """The one mode for running rules inside this one."""
        self._other: Eager = other or type(self)(not grad, saving, self)
        """The same mode with recording switched."""

    def with_grad(self, flag: bool) -> Eager:
        """Return this mode, or its counterpart with recording switched."""
        return self if flag is self.grad else self._other

    def with_saving(self, hooks: Any) -> Eager:
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
        if op.multiple:
            return self._several(op, attrs, arrays, edges_of(inputs), made)
        result = self.tensor(made)
        result.edge = self._record(op, attrs, arrays, edges_of(inputs), result.array)
        return result

    def _several(
        self, op: Operator, attrs: Attrs, arrays: Sequence[Any], edges: Edges, made: Sequence[Any]
    ) -> tuple[Any, ...]:
        results = [self.tensor(out) for out in made]
        outs = [result.array for result in results]
        node = self._record(op, attrs, arrays, edges, outs)
        if node is not None:
            node.metas = [meta_of(out) for out in outs]
            for index in range(len(results)) if op.list_output else op.differentiable:
                results[index].edge = (node, index)
        return tuple(results)

    def _record(
        self, op: Operator, attrs: Attrs, arrays: Sequence[Any], edges: Edges, out: Any
    ) -> Node | None:
        """Return the node of a call with result `out`, one array or several; None if it has no gradient."""
        plan = plan_of(op, edges) if self.grad and any(edges) else None
        if plan is None:
            return None
        node = Node(op, attrs, edges, plan, saved := plan.save(arrays, out, attrs))
        if self.saving is not None:
            node.saved = self.saving.pack_saved(node, saved)
        return node


# -- the current mode ---------------------------------------------------------------------------------------------

EAGER = Eager(grad=True)
current: ContextVar[Mode] = ContextVar("mode", default=EAGER)
mode_now = current.get  # imported by name: Python looks up a method anew at each call


def run_inside(mode: Mode, function: Callable[..., Any], *args: Any) -> Any:
    """Return ``function(*args)``, called in `mode`; restore the mode afterwards.

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
        """Return a function that restores this mode."""
        return partial(current.reset, current.set(current.get()))

    def change(self) -> Mode:
        """Enter the mode."""
        current.set(mode := self.enter())
        return mode
