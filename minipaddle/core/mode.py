"""The mode: what "apply an operator" means now.

One object in one context variable answers that question: eager execution (:mod:`minipaddle.core.eager`),
building a Program, reading a gradient rule over plain arrays (:class:`Arrays`), or a watcher around any of them
(:mod:`minipaddle.core.watching`). Context variables are per thread and per task, so two threads never see each
other's mode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from minipaddle.core.meta import Attrs
from minipaddle.core.node import Closed, CustomCall, Node, Step
from minipaddle.core.tell import At, BodyKind, Named, Tell

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator


class Saving(Protocol):
    """What decides how values are saved for backward (``paddle.autograd.saved_tensors_hooks``)."""

    def pack(self, tensor: Any) -> Any:
        """Pack one tensor."""

    def pack_saved(self, node: Node, saved: tuple[Any, ...]) -> Closed:
        """Pack what a node saves."""


class Mode(ABC):
    """What it means to apply an operator; the base of all modes."""

    __slots__ = ()

    dynamic: bool = True
    """Whether operators run at once, and are not appended to a Program."""

    grad: bool
    """Whether calls are recorded for differentiation."""

    saving: Saving | None
    """The user's ``saved_tensors_hooks``, if any are active."""

    tell: Tell | None = None
    """Who is told what happens; None: nobody watches."""

    @abstractmethod
    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op` to `inputs` (list slots flattened) and return its output, or a tuple of them."""

    @abstractmethod
    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op`, store the result in the first input and return that."""

    @abstractmethod
    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Apply an optimizer's operator, which writes into those of its inputs that ``op.updates`` lists."""

    def apply_custom(self, call: CustomCall) -> Any:
        """Carry out a call whose operator is made for it, such as ``PyLayer.apply``."""
        return call.carry_out(self)

    @abstractmethod
    def with_grad(self, flag: bool) -> Mode:
        """Return this mode with recording switched on or off."""

    @abstractmethod
    def with_saving(self, hooks: Saving) -> Mode:
        """Return this mode with saved values going through `hooks`."""

    def replaced(self, mode: Mode) -> Mode:
        """Return what to switch to when `mode` takes the place of this one: whoever stands around stays."""
        return mode

    @abstractmethod
    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        inside: Mode,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        at: At | None = None,
        settle: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Run a stretch of the user's own code, ``function(*args)``, in the mode `inside`: this one, or like it.

        This mode is restored whatever the code does. `kind` and `owner` (the PyLayer's call, or the hook) say what it
        is, `at` where in the graph, and `settle` brings the answer into order, or raises: all for those who watch.

        Returns:
            the answer as it is.
        """

    @property
    def reading(self) -> Mode:
        """The mode in which gradient rules are run on arrays, with this one around it."""
        return Arrays(self)

    def consume(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Return the steps of a reverse walk for the caller to take."""
        return steps


class Around(Mode):
    """A mode around `inner`, which does all that the subclass does not do itself."""

    __slots__ = ("dynamic", "grad", "inner", "saving", "tell")

    def __init__(self, inner: Mode) -> None:
        self.inner = inner
        self.dynamic = inner.dynamic
        self.grad = inner.grad
        self.saving = inner.saving
        self.tell = inner.tell

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return what the inner mode makes of the call."""
        return self.inner.apply(op, inputs, attrs)

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return what the inner mode makes of the call."""
        return self.inner.apply_inplace(op, inputs, attrs)

    def apply_update(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> None:
        """Have the inner mode apply the update."""
        self.inner.apply_update(op, inputs, attrs)

    def run_body(
        self,
        kind: BodyKind,
        owner: Named,
        inside: Mode,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        at: At | None = None,
        settle: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Return what the inner mode's run answers."""
        return self.inner.run_body(kind, owner, inside, function, args, at, settle)

    def consume(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Return the steps as the inner mode hands them out."""
        return self.inner.consume(steps)

    def with_grad(self, flag: bool) -> Mode:
        """Leave this mode for the inner one, with recording switched."""
        return self.inner.with_grad(flag)

    def with_saving(self, hooks: Saving) -> Mode:
        """Leave this mode for the inner one, with these hooks."""
        return self.inner.with_saving(hooks)


class Arrays(Around):
    """Operators run their kernels on plain arrays: how a gradient rule is read for its numbers.

    The user's own code (a PyLayer's backward, hooks) runs in the mode around the walk, which is the inner one here.
    """

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel."""
        return op.run(*inputs, **attrs)
