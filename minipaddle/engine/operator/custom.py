"""Custom operators: a forward and a backward that were written for it, where others have a kernel and gradient rules.

Four ways lead to one. A PyLayer (:mod:`minipaddle.engine.custom.py_layer`) and a function of ``to_static``
(``paddle/jit/program_function.py``) run where they are applied, and leave a Node: :class:`OnTape`. ``static_pylayer``
and ``py_func`` (``paddle/static/custom``) append a call to a Program, which runs with it. To the walk, a recording and
pictures each is an operator like others; they ask what stands here.

Next: :mod:`minipaddle.engine.custom.py_layer`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from minipaddle.engine.errors import Line, defined_at
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tape.node import Edge, MakeTensor, Node, UserCode
from minipaddle.engine.value.meta import Array, Meta, meta_of

RUN_ON_TAPE = ("pylayer", "run_program")
"""Types of those that run where they are applied: in a recording a call of one is one event."""


class CustomOperator:
    """What all of them answer."""

    __slots__ = ()

    type: str
    """As a Program prints it."""
    code: Any
    """What to run once more: what the user wrote, or the Program of to_static."""

    @property
    def name(self) -> str:
        """The name of what the user wrote."""
        return getattr(self.code, "__name__", None) or type(self.code).__name__

    @property
    def label(self) -> str:
        """What pictures call it."""
        return self.name

    @property
    def where(self) -> Line | None:
        """Where it is defined, if it is Python."""
        return defined_at(self.code)


Made = tuple[Any, Sequence[Any], Collection[int], tuple[Any, ...]]
"""What a forward has made: what the caller gets; the Tensors in it, and others that the node has a place for; the
places of those that gradients come in for; what backward needs."""


class OnTape(CustomOperator):
    """A custom operator that runs when it is applied; also the plan of the node that the call leaves."""

    __slots__ = ()

    title: Any
    """As in ``grad_fn.name()``: a str."""
    takes_nothing = False
    """Whether backward may be handed no gradient, or one of any dtype."""
    may_raise = True
    """Whether backward runs the user's code: then a pass frees the graph when it is over, and not as it goes."""
    flows = True
    """Whether any output has gradients."""

    @abstractmethod
    def forward(self, mode: Mode, inputs: Sequence[Any], recorded: bool) -> Made:
        """Compute the outputs of Tensors; `recorded` says whether backward may be asked for."""

    @abstractmethod
    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Return the gradient of each input (None: there is none): arrays for arrays, Tensors for Tensors."""

    def carry_out(self, mode: Mode, inputs: Sequence[Any]) -> Any:
        """Run forward, and connect its outputs if recording is on and an input requires a gradient."""
        edges = tuple([one.edge for one in inputs])  # forward may write into its inputs
        recorded = mode.grad and self.flows and any(edges)
        made = self.forward(mode, inputs, recorded)
        if recorded:
            self.connect_outputs(mode, edges, made)
        return made[0]

    def connect_outputs(self, mode: Mode, edges: tuple[Edge | None, ...], made: Made) -> Node:
        """Make the node of a call, and let the outputs lead to it."""
        _, outputs, flowing, saved = made
        node = Node(self, {}, edges, self, saved)
        if mode.saving is not None:
            node.saved = mode.saving.pack_saved(node, saved)
        UserCode.present = UserCode.present or self.may_raise
        several = len(outputs) > 1
        if several:
            node.metas = [meta_of(one.array) for one in outputs]
        for place, out in enumerate(outputs):
            out.edge = None if place not in flowing else (node, place) if several else node
        return node

    def saved_tensors(self, saved: tuple[Any, ...]) -> list[Any]:
        """Return the Tensors that the user's forward has saved."""
        return []

    # -- a plan ---------------------------------------------------------------------------------------------------

    def run_some(self, grads: Sequence[Any], saved: tuple[Any, ...], useful: Sequence[bool]) -> Sequence[Any]:
        """Return the gradients of the `useful` inputs, and perhaps of others."""
        return self.run(grads, saved)

    def gather(
        self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]
    ) -> Sequence[Any]:
        """Prepare the gradients of several outputs, of which some may be None."""
        return grads

    def arrays(self, saved: tuple[Any, ...]) -> Iterator[Array]:
        """Yield the arrays among the saved values that must not be overwritten."""
        return iter(())

    def connect(self, node: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the saved values with each array as a tensor that stands where it stood in the graph."""
        return saved
