"""The mode: what "apply an operator" means now.

One object in one context variable answers that question: eager execution (:mod:`minipaddle.engine.mode.eager`),
building a Program, reading a gradient rule over plain arrays (also there), or a watcher around any of them
(engine/watch/watched_mode.py). Context variables are per thread and per task, so two threads never see each
other's mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.operator.custom import OnTape
    from minipaddle.engine.operator.operator import Operator
    from minipaddle.engine.watch.observer import Tell


class Mode:
    """How an operator is applied; the base of all modes. By default, a mode around another one passes calls to it."""

    __slots__ = ()

    dynamic: bool = True
    """Whether operators run at once, and are not appended to a Program."""

    grad: bool
    """Whether calls are recorded for differentiation."""

    saving: Any
    """The user's ``saved_tensors_hooks``, if active: `pack` packs a Tensor, `pack_saved` the saved values of a node."""

    tell: Tell = ()
    """The observers of this mode."""

    inner: Mode
    """The mode inside this one, if this is one around another."""

    reading: Any
    """The mode for running gradient rules on arrays, with this one inside: an ``Arrays`` of engine/mode/eager.py."""

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op` to `inputs` (list slots flattened) and return its output, or a tuple of them."""
        return self.inner.apply(op, inputs, attrs)

    def apply_inplace(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Apply `op`, store the result in the first input and return that.

        An optimizer's operator writes to its inputs itself: those that ``op.updates`` lists.
        """
        return self.inner.apply_inplace(op, inputs, attrs)

    def apply_custom(self, op: OnTape, inputs: Sequence[Any]) -> Any:
        """Apply a custom operator, such as a call of ``PyLayer.apply``."""
        return op.carry_out(self, inputs)

    def with_grad(self, flag: bool) -> Mode:
        """Return this mode with recording switched on or off."""
        return self.like(self.inner.with_grad(flag))

    def with_saving(self, hooks: Any) -> Mode:
        """Return this mode with saved values packed by `hooks`."""
        return self.like(self.inner.with_saving(hooks))

    def like(self, inner: Mode) -> Mode:
        """Return the mode after `inner` replaces the inner mode: `inner` itself; modes around it wrap it."""
        return inner

    def replaced(self, mode: Mode) -> Mode:
        """Return the mode after `mode` replaces this one: modes around this one stay."""
        return mode

    def layers(self) -> Iterator[Mode]:
        """Yield this mode, the mode that it stands around, and so on to the innermost, which runs or builds."""
        yield self
        if isinstance(self, Around):
            yield from self.inner.layers()


class Around(Mode):
    """A mode around `inner`."""

    __slots__ = ("dynamic", "grad", "inner", "saving", "tell")

    def __init__(self, inner: Mode) -> None:
        self.inner = inner
        self.dynamic = inner.dynamic
        self.grad = inner.grad
        self.saving = inner.saving
        self.tell = inner.tell

    def replaced(self, mode: Mode) -> Mode:
        """Return the replaced inner mode, in the same outer modes."""
        return self.like(self.inner.replaced(mode))
