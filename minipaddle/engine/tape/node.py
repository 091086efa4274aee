"""Node: one call of an operator, as the tape keeps it; it runs the call's gradient rules on arrays.

A gradient flows along *edges*. The edge of a tensor leads to its origin: the :class:`Node` of the call,
one output of it, ``(node, index)``, if the call had several, or an :class:`AccumulateGrad` if the user made the tensor.
A node has the edges of its inputs, and the values saved for its gradient rules, but no tensor: so tensors that no code
needs are freed at once, and there are no reference cycles.

Next: :mod:`minipaddle.engine.walk.walk`, the order in which nodes run.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from minipaddle.engine.errors import failure, invalid, locate
from minipaddle.engine.tape.memory import clock, version, written
from minipaddle.engine.value.meta import Array, Attrs, Meta

if TYPE_CHECKING:
    from minipaddle.engine.operator.custom import OnTape
    from minipaddle.engine.operator.operator import Operator
    from minipaddle.engine.operator.plan import Plan


_LATER_THAN_ALL = 1 << 62  # added for leaves, which are visited after all calls


class AccumulateGrad:
    """The end of a gradient's path: a leaf, referenced weakly, as a freed leaf needs no ``.grad``."""

    __slots__ = ("__weakref__", "hooks", "sequence", "tensor")
    edges: Edges = ()
    metas = None

    def __init__(self, tensor: Any) -> None:
        self.tensor = weakref.ref(tensor)
        self.sequence = clock() + _LATER_THAN_ALL
        self.hooks: Hooks | None = None


class Node:
    """One recorded call of an operator, with what its gradient rules need."""

    __slots__ = ("__weakref__", "attrs", "edges", "hooks", "metas", "op", "plan", "saved",
                 "sequence")  # fmt: skip

    meets_user_code: ClassVar[bool] = False
    """Whether backward may run user code (hooks, PyLayers), which may fail half way and then be corrected.

    Only then are saved tensors kept until the walk ends; else each node is freed at once, and its memory reused.
    """

    def __init__(
        self, op: Operator | OnTape, attrs: Attrs, edges: Edges, plan: Plan | OnTape, saved: Saved
    ) -> None:
        self.op = op
        self.attrs = attrs
        self.edges = edges
        """The edge of each input; None: it requires no gradient."""
        self.plan = plan
        self.saved = saved
        """The values that the rules need, in the plan's form; or what must be opened first."""
        self.sequence = clock()
        """Sequence number; it counts down, so that a heap returns the latest call first."""
        self.metas: list[Meta] | None = None
        """Meta of each output, if there are several."""
        self.hooks: Hooks | None = None

    def run(self, grads: Sequence[Any], useful: Sequence[bool] | None = None) -> Sequence[Any]:
        """Return the gradient of each input for `grads`, arrays, one for each output; only of the `useful` inputs."""
        saved = self.opened()
        if self.metas is not None:
            grads = self.plan.gather(grads, self.metas, lambda meta: np.zeros(meta.shape, meta.dtype))
        return self.plan.run(grads, saved) if useful is None else self.plan.run_some(grads, saved, useful)

    def opened(self) -> tuple[Any, ...]:
        """Return the saved values.

        Raises:
            SystemError: **retain_graph=True**, if an earlier backward has freed it.
        """
        saved = self.saved if isinstance(self.saved, tuple) else self.saved.open(self)
        if written:
            self._insist_on_versions(saved)
        return saved

    def _insist_on_versions(self, saved: tuple[Any, ...]) -> None:
        """Check that nothing saved was overwritten: RuntimeError, **has been modified by an inplace operation**."""
        for array in self.plan.arrays(saved):
            now, then = version(array), version(array, self.sequence)
            if now != then:
                raise failure(
                    RuntimeError,
                    f"Tensor kept by {self.op.title} (shape {list(array.shape)}) has been modified by an "
                    f"inplace operation. Its version is {now} but the expected version is {then}.",
                    "use the operator without the trailing underscore, or write to a clone()",
                )


Hooks = dict[int, list[object]]
"""The user's hooks at each output of a node; a leaf has the output 0."""
AnyNode = Node | AccumulateGrad
Edges = tuple["Edge | None", ...]
Saved = Any
"""A tuple of saved values, or an object whose ``open(node)`` returns them: packed by the user's hooks, or freed."""
Edge = Node | AccumulateGrad | tuple[Node, int]
"""The target of a gradient: a node, or (node, output index) if the call had several outputs."""
Step = tuple[AnyNode, Sequence[Any], Sequence[Any]]
"""One step of a reverse walk: the node, the incoming gradients (one per output), the outgoing ones (one per input)."""


Side = Literal["input", "output", "inside"]
"""Whether a saved array is an input of the call, an output, or was computed in between."""
MakeTensor = Callable[["Array", "Edge | None", Side, int], Any]
"""Makes a tensor from a saved array, its edge, its side and its index there."""


def arrays_of(op: Operator, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arrays of inputs; an optional input may be None."""
    try:
        return tuple([value.array for value in inputs])
    except AttributeError:
        return tuple([_array_or_none(op, position, value) for position, value in enumerate(inputs)])


def _array_or_none(op: Operator, position: int, value: Any) -> Array | None:
    """Return the array of an input; ValueError, with **must be Tensor**, for an input that is none."""
    name = op.input_names[min(position, len(op.input_names) - 1)]
    if value is None and name in op.optional:
        return None
    if not hasattr(value, "edge"):
        message = f"argument '{name}' (position {position}) must be Tensor, but got {type(value).__name__}."
        hint = "" if value is None else "wrap it with paddle.to_tensor(...)"
        raise locate(invalid(f"{op.name}(): {message}", hint), op.type)
    array: Array = value.array
    return array


def edges_of(inputs: tuple[Any, ...]) -> Edges:
    """Return the edges of the inputs; None for those that stop gradients."""
    return tuple([None if value is None else value.edge for value in inputs])
