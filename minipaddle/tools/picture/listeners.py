"""Functions of the user's that are told what runs: ``picture.on_op(print)``, ``picture.on_backward(print)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from minipaddle.engine.mode.eager import current
from minipaddle.engine.mode.mode import CustomCall
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.node import AccumulateGrad, Step
from minipaddle.engine.value.meta import Attrs
from minipaddle.engine.watch.observer import Observer
from minipaddle.engine.watch.watching import Watching


class Ran(NamedTuple):
    """One thing that ran."""

    name: str
    """``tanh`` forward, ``tanh_grad`` backward; ``W.grad`` where a gradient arrived at a leaf."""
    inputs: tuple[Any, ...]
    """Tensors; backward the gradients that came in, as arrays unless the pass is differentiated itself."""
    outputs: tuple[Any, ...]
    """What it made; None where nothing was wanted."""
    seconds: float
    """How long it took, with all that ran inside."""


def on_op(function: Callable[[Ran], object]) -> Handle:
    """Tell `function` of every operator that is applied from now on, after it ran.

    Example::

        with picture.on_op(lambda ran: print(ran.name, ran.seconds)):
            net(x)

    Returns:
        what ends it: ``remove()``, or the end of a ``with`` block. It hears what runs in this thread.
    """
    return Handle(_Forward(function))


def on_backward(function: Callable[[Ran], object]) -> Handle:
    """Tell `function` of every gradient rule that runs from now on, and of every gradient that reaches a leaf.

    Example::

        with picture.on_backward(lambda ran: print(ran.name)):
            loss.backward()

    Returns:
        what ends it: ``remove()``, or the end of a ``with`` block.
    """
    return Handle(_Backward(function))


class _Listener(Observer):
    """Tells a function of the user's, as long as that wants to know."""

    def __init__(self, function: Callable[[Ran], object]) -> None:
        self.function: Callable[[Ran], object] | None = function

    def tell(self, name: str, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """Tell the function, if it still wants to know."""
        if self.function is not None:
            made = tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)
            self.function(Ran(name, tuple(inputs), made, seconds))


class _Forward(_Listener):
    def called(
        self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs, outputs: Any, inplace: bool, seconds: float
    ) -> None:
        """An operator was applied."""
        self.tell(op.name, inputs, outputs, seconds)

    def custom_called(self, call: CustomCall, inputs: Sequence[Any], outputs: Any, seconds: float) -> None:
        """A PyLayer was applied."""
        self.tell(call.name, inputs, outputs, seconds)


class _Backward(_Listener):
    def stepped(self, step: Step, seconds: float) -> None:
        """One node of the walk is done."""
        node, grads, results = step
        if isinstance(node, AccumulateGrad):
            tensor = node.tensor()
            self.tell(f"{'' if tensor is None else tensor.name}.grad", grads, results, seconds)
        elif results:
            self.tell(f"{node.op.name}_grad", grads, results, seconds)


class Handle:
    """Ends what :func:`on_op` or :func:`on_backward` began."""

    def __init__(self, listener: _Listener) -> None:
        self._listener = listener
        current.set(Watching(current.get(), listener))

    def remove(self) -> None:
        """Tell the function of nothing more. Twice is once."""
        self._listener.function = None
        mode = current.get()  # if a ``with`` block stands around us, that restores what was before
        while (
            isinstance(mode, Watching) and isinstance(mode.observer, _Listener) and not mode.observer.function
        ):
            mode = mode.inner
        current.set(mode)

    def __enter__(self) -> Handle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
