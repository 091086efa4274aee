"""The mode: what "apply an operator" means now.

One object in one context variable answers that question: eager execution (:mod:`minipaddle.engine.mode.eager`),
building a Program, reading a gradient rule over plain arrays (:class:`Arrays`), or a watcher around any of them
(engine/watch/watched_mode.py). Context variables are per thread and per task, so two threads never see each
other's mode.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from minipaddle.engine.tape.node import Closed, Node
from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.operator.custom import OnTape
    from minipaddle.engine.operator.operator import Operator
    from minipaddle.engine.watch.notify import Tell


class Packed:
    """What :meth:`Saving.pack` returns."""

    def open(self) -> Any:
        """Return the value that was packed."""


class Saving(Protocol):
    """What decides how values are saved for backward (``paddle.autograd.saved_tensors_hooks``)."""

    def pack(self, tensor: Any) -> Packed:
        """Pack one tensor."""

    def pack_saved(self, node: Node, saved: tuple[Any, ...]) -> Closed:
        """Pack what a node saves."""


class Mode:
    """What it means to apply an operator; the base of all modes."""

    __slots__ = ()

    dynamic: bool = True
    """Whether operators run at once, and are not appended to a Program."""

    writes: bool = True
    """Whether ``x.exp_()`` writes into `x`: a Program has ``x.exp()`` for it."""

    grad: bool
    """Whether calls are recorded for differentiation."""

    saving: Saving | None
    """The user's ``saved_tensors_hooks``, if any are active."""

    tell: Tell = ()
    """The observers of this mode."""

    @abstractmethod
    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op` to `inputs` (list slots flattened) and return its output, or a tuple of them."""

    @abstractmethod
    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op`, store the result in the first input and return that.

        An optimizer's operator writes to its inputs itself: those that ``op.updates`` lists.
        """

    @abstractmethod
    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Apply a custom operator, such as ``PyLayer.apply`` makes one."""

    @abstractmethod
    def with_grad(self, flag: bool) -> Mode:
        """Return this mode with recording switched on or off."""

    @abstractmethod
    def with_saving(self, hooks: Saving) -> Mode:
        """Return this mode with saved values going through `hooks`."""

    def replaced(self, mode: Mode) -> Mode:
        """Return the mode to switch to when `mode` replaces this one: modes around this one stay."""
        return mode

    @property
    def reading(self) -> Mode:
        """The mode in which gradient rules are run on arrays, with this one around it."""
        return Arrays(self)


class Around(Mode):
    """A mode around `inner`, which does all that the subclass does not do itself."""

    __slots__ = ("dynamic", "grad", "inner", "saving", "tell", "writes")

    sees_steps = False
    """Whether :meth:`program_steps` looks at them: then a Program runs step by step."""

    def __init__(self, inner: Mode) -> None:
        self.inner = inner
        self.dynamic = inner.dynamic
        self.writes = inner.writes
        self.grad = inner.grad
        self.saving = inner.saving
        self.tell = inner.tell

    def like(self, inner: Mode) -> Mode:
        """Return the mode when `inner` replaces the inner mode: `inner` alone; subclasses may wrap it."""
        return inner

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return what the inner mode makes of the call."""
        return self.inner.apply(op, inputs, attrs)

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return what the inner mode makes of the call."""
        return self.inner.apply_inplace(op, inputs, attrs)

    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Carry it out under this mode."""
        return op.carry_out(self, inputs)

    def with_grad(self, flag: bool) -> Mode:
        """Return the inner mode with recording switched, and what stays around that."""
        return self.like(self.inner.with_grad(flag))

    def with_saving(self, hooks: Saving) -> Mode:
        """Return the inner mode with these hooks, and what stays around that."""
        return self.like(self.inner.with_saving(hooks))

    def replaced(self, mode: Mode) -> Mode:
        """Return what takes the place of the inner mode, and what stays around that."""
        return self.like(self.inner.replaced(mode))

    # -- Programs -------------------------------------------------------------------------------------------------

    def made_program(self, program: Any, name: str = "") -> None:
        """A Program was made; `name` is what it goes by, if it has a name."""

    def runs_program(self, program: Any) -> None:
        """A Program is about to run."""

    def program_steps(self, run: Any, steps: Generator[Any, None, Any]) -> Generator[Any, None, Any]:
        """Return the `steps` of a run (``Run`` in paddle/static/executor/run.py), or others that end as they do."""
        return steps


class Arrays(Around):
    """Operators run their kernels on plain arrays: how a gradient rule is read for its numbers.

    The user's own code (a PyLayer's backward, hooks) runs in the mode around the walk, which is the inner one here.
    """

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Run the kernel."""
        return op.run(*inputs, **attrs)
