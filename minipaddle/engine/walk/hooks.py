"""Gradient hooks: functions of the user that see, and may replace, a gradient on its way."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.errors import Line, defined_at, failure, invalid
from minipaddle.engine.mode.eager import Eager, current
from minipaddle.engine.operator.custom import Nothing, for_user, run_body
from minipaddle.engine.tape.memory import read_only
from minipaddle.engine.tape.node import AccumulateGrad, AnyNode, Edge, Node
from minipaddle.engine.watch.observer import At

if TYPE_CHECKING:
    from minipaddle.engine.tensor.tensor import Tensor


class HookHandle:
    """The result of ``register_hook``."""

    def __init__(self, hooks: list[Any], hook: Hook) -> None:
        self._hooks, self._hook = hooks, hook
        hooks.append(hook)

    def remove(self) -> bool:
        """Remove the hook; return True the first time, False after."""
        there = self._hook in self._hooks
        if there:
            self._hooks.remove(self._hook)
        return there


class Hook:
    """A user's hook: called with a Tensor, in the user's mode; its errors are reworded as Paddle's."""

    def __init__(self, function: Callable[[Tensor], Tensor | None]) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", type(function).__name__)

    @property
    def where(self) -> Line | None:
        """Where the function is defined, if it is Python."""
        return defined_at(self.function)

    def run(self, grad: Tensor, at: At) -> Tensor:
        """Return the gradient to pass on from the place `at` in the graph."""
        mode = current.get()
        hooked: Tensor = run_body("hook", self, at, mode.with_grad(mode.grad), self._answered, grad)
        return hooked

    def _answered(self, grad: Tensor) -> Tensor:
        """Return the gradient after the hook: its result, or `grad` itself if that is None.

        Raises:
            OSError: for an error of the hook's.
            TypeError: if the result is not a Tensor.
            RuntimeError: for another dtype, as in Paddle.
            ValueError: for another shape.
        """
        try:
            result = self.function(grad)
        except Exception as error:
            said = f"{type(error).__name__}: {error} (raised in the gradient hook {self.name})"
            raise failure(OSError, said) from error
        if result is None:
            return grad
        if not isinstance(result, Eager.tensor):
            what = type(result).__name__
            raise failure(
                TypeError,
                f"A gradient hook must return Tensor or None, but {self.name} returned {what}.",
                "paddle.to_tensor(array) makes one" if what == "ndarray" else "",
            )
        if result.array.dtype != grad.array.dtype:
            raise failure(
                RuntimeError,
                f"The dtype of tensor before ({grad.dtype}) and after ({result.dtype}) the hook {self.name} are not "
                "consistent.",
                "cast what the hook returns to the dtype of its argument",
            )
        if result.array.shape != grad.array.shape:
            raise invalid(
                f"The gradient hook {self.name} received shape {list(grad.shape)} and returned {list(result.shape)}.",
                "a gradient has the shape of its tensor",
            )
        checked: Tensor = result
        return checked


class Retained:
    """The place among the hooks of an interior tensor at which ``retain_grads`` takes the gradient for ``.grad``."""

    def __init__(self, tensor: Tensor, edge: Edge) -> None:
        self.tensor = weakref.ref(tensor)
        self.edge = edge


def register_hook(tensor: Tensor, hook: Callable[[Tensor], Tensor | None]) -> HookHandle:
    """Register ``hook(grad)``, to be called whenever the gradient of this tensor is complete.

    The hook returns None to keep the gradient, or a Tensor to replace it. Hooks run in the order of registration.

    Raises:
        RuntimeError: **Cannot register hook**, if the tensor stops gradients.
    """
    if tensor.edge is None:
        raise failure(
            RuntimeError,
            "Cannot register hook on a tensor that stop gradient.",
            "set tensor.stop_gradient = False before it is used",
        )
    Node.meets_user_code = True
    return HookHandle(_hooks_at(tensor.edge), Hook(hook))


def retain_grads(tensor: Tensor) -> None:
    """Keep the gradient of an interior tensor in its ``.grad``, replaced by each backward; no effect on others."""
    if tensor.edge is not None and type(tensor.edge) is not AccumulateGrad:
        _hooks_at(tensor.edge).append(Retained(tensor, tensor.edge))


def _hooks_at(edge: Edge) -> list[Any]:
    node: AnyNode
    node, index = edge if isinstance(edge, tuple) else (edge, 0)
    node.hooks = {} if node.hooks is None else node.hooks
    return node.hooks.setdefault(index, [])


def run_hooks(arrived: list[Any] | None, node: AnyNode, grads: Sequence[Any]) -> Sequence[Any]:
    """Return the gradients of a node after its hooks: the sum that reached a leaf, or one for each output of a call.

    `arrived` takes what ``retain_grads`` is to store, with the :class:`Retained`. It is None where gradients are
    picked: then hooks of leaves do not run.
    """
    if node.hooks is None or (arrived is None and not isinstance(node, Node)):
        return grads
    hooked = list(grads)
    for index, hooks in sorted(node.hooks.items()):
        grad = grads[index]
        # The hook of an output that was not used, or whose gradient is None, gets zeros.
        if grad is None and node.metas is not None:
            grad = np.zeros(node.metas[index].shape, node.metas[index].dtype)
        elif isinstance(grad, Nothing):
            grad = grad.zeros()
        after = _run(hooks, grad, (node, index), arrived) if hooks and grad is not None else grad
        hooked[index] = grads[index] if after is grad else after  # zeros made only to be shown stay None
    return hooked


def _run(hooks: Sequence[Any], grad: Any, at: At, arrived: list[Any] | None) -> Any:
    """Run hooks on a gradient that is an array or a Tensor, and return it as the same kind."""
    as_tensor = isinstance(grad, Eager.tensor)
    value = for_user(grad)
    if not as_tensor:
        value.stop_gradient = False  # as in Paddle, where a hook sees one
    for hook in list(hooks):
        if isinstance(hook, Hook):
            value = hook.run(value, at)
        elif arrived is not None:
            arrived.append((hook, value))
    return value if as_tensor else read_only(value.array)
