"""Custom operators: with a forward and a backward, where other operators have a kernel and gradient rules.

Four ways lead to one. A PyLayer (:mod:`minipaddle.engine.custom.py_layer`) and a function of ``to_static``
(``paddle/jit/program_function.py``) run where they are applied, and leave a Node: :class:`OnTape`. ``static_pylayer``
and ``py_func`` (``paddle/static/custom``) append a call to a Program, which runs with it. To the walk, a recording and
pictures each is an operator like others; they use the attributes here.

Next: :mod:`minipaddle.engine.custom.py_layer`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import Line, defined_at
from minipaddle.engine.mode.eager import Eager, run_inside
from minipaddle.engine.tape.node import Edges, MakeTensor, Node, edges_of
from minipaddle.engine.value.meta import Array, Meta, Shape, meta_of

if TYPE_CHECKING:
    from minipaddle.engine.mode.mode import Mode
    from minipaddle.engine.watch.observer import At, BodyKind, Named

RUN_ON_TAPE = ("pylayer", "run_program")
"""Types of custom operators that run when applied: a recording has one event for a call."""


class CustomOperator:
    """The common attributes of custom operators."""

    __slots__ = ()

    type: str
    """The name in a printed Program."""
    code: Any
    """The code to run: the user's class or function, or to_static's Program."""

    @property
    def name(self) -> str:
        """The name of the user's class or function."""
        return getattr(self.code, "__name__", None) or type(self.code).__name__

    @property
    def label(self) -> str:
        """Its label in pictures."""
        return self.name

    @property
    def where(self) -> Line | None:
        """Where it is defined, if it is Python."""
        return defined_at(self.code)


Made = tuple[Any, Sequence[Any], Collection[int], tuple[Any, ...]]
"""The results of a forward: the returned value; its Tensors, and others that the node has an output for; the
positions of the Tensors with gradients; the values needed by backward."""


class OnTape(CustomOperator):
    """A custom operator that runs when it is applied; also the plan of the node that the call leaves."""

    __slots__ = ()

    title: Any
    """The name of its node in ``grad_fn.name()`` and in errors: a str."""
    takes_nothing = False
    """Whether backward accepts a missing gradient, or one of any dtype."""
    may_raise = True
    """Whether backward runs user code: then a pass frees the graph at its end, not on the way."""
    flows = True
    """Whether any output has gradients."""

    @abstractmethod
    def forward(self, mode: Mode, inputs: Sequence[Any], recorded: bool) -> Made:
        """Compute the outputs of Tensors; `recorded`: whether backward may follow."""

    @abstractmethod
    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Return the gradient of each input (None: no gradient): arrays for arrays, Tensors for Tensors."""

    def carry_out(self, mode: Mode, inputs: Sequence[Any]) -> Any:
        """Run forward, and connect its outputs if recording is on and an input requires a gradient."""
        edges = edges_of(tuple(inputs))  # forward may write into its inputs
        recorded = mode.grad and self.flows and any(edges)
        return self.attach(mode, edges, self.forward(mode, inputs, recorded), recorded)

    def attach(self, mode: Mode, edges: Edges, made: Made, recorded: bool) -> Any:
        """Return the result of forward; if `recorded`, make the node of the call, and connect the outputs to it."""
        result, outputs, flowing, saved = made
        if not recorded:
            return result
        node = Node(self, {}, edges, self, saved)
        if mode.saving is not None:
            node.saved = mode.saving.pack_saved(node, saved)
        Node.meets_user_code = Node.meets_user_code or self.may_raise
        if len(outputs) > 1:
            node.metas = [meta_of(one.array) for one in outputs]
        for place, out in enumerate(outputs):
            out.edge = None if place not in flowing else node if node.metas is None else (node, place)
        self.connected(node)
        return result

    def connected(self, node: Node) -> None:
        """Store the `node` of a call."""

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
        """Prepare the gradients of several outputs; some may be None."""
        return grads

    def arrays(self, saved: tuple[Any, ...]) -> Iterable[Array]:
        """Return the arrays among the saved values that must not be overwritten."""
        return ()

    def connect(self, node: Node, saved: tuple[Any, ...], tensor: MakeTensor) -> tuple[Any, ...]:
        """Return the saved values with each array as a tensor, connected to the graph as before."""
        return saved


def run_body(kind: BodyKind, owner: Named, at: At | None, inside: Mode, code: Any, *args: Any) -> Any:
    """Return ``code(*args)``, user code that runs in the mode `inside`, and report it to observers, if there are."""
    if not inside.tell:
        return run_inside(inside, code, *args)
    return _told_body(kind, owner, at, inside, code, *args)


def _told_body(kind: BodyKind, owner: Named, at: At | None, inside: Mode, code: Any, *args: Any) -> Any:
    """Return ``code(*args)``, and report it to the observers of the mode `inside`.

    `owner` is the PyLayer's call, or the hook, and `at` its place in the graph. An error of ours whose cause is the
    user's error tells of that.
    """
    for one in inside.tell:
        one.entered(kind, owner, args, at)
    try:
        answer = run_inside(inside, code, *args)
    except BaseException as error:
        for one in inside.tell:
            one.left(kind, owner, None, (kind != "forward" and error.__cause__) or error)
        raise
    for one in inside.tell:
        one.left(kind, owner, answer, None)
    return answer


def for_user(grad: Any) -> Any:
    """Return a gradient of the walk as a Tensor of the user's, with its history: what is written into it stays there.

    Other paths may carry the same memory, so it is read-only: who writes copies it first.
    """
    tensor = Eager.tensor(np.asarray(getattr(grad, "array", grad)))
    tensor.array.setflags(write=False)
    tensor.edge = getattr(grad, "edge", None)
    return tensor


class Nothing:
    """A missing gradient on its way to a PyLayer; added to a gradient, it yields that gradient."""

    __array_ufunc__ = None  # let `array + nothing` ask us

    def __init__(self, shape: Shape, dtype: np.dtype[Any]) -> None:
        self.zeros = partial(np.zeros, shape, dtype)

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__
