"""recompute: the saved tensors of a part of a net are dropped, and computed again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.custom.py_layer import PyLayer
from minipaddle.engine.errors import guard_all
from minipaddle.engine.tensor.grad_mode import enable_grad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.walk.backward import backward
from minipaddle.paddle.framework.settings import get_rng_state, set_rng_state

__all__ = ["recompute"]


class RecomputeFunction(PyLayer):
    """Calls a function without recording it; the backward pass calls it again, recorded, and differentiates that."""

    @staticmethod
    def forward(
        ctx: Any, function: Callable[..., Any], keep: bool, keywords: dict[str, Any], *args: Any
    ) -> Any:
        """Return what `function` returns."""
        ctx.function, ctx.keywords, ctx.args = function, keywords, args
        ctx.state = get_rng_state() if keep else None
        return function(*args, **keywords)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Return the gradients of the arguments; parameters accumulate theirs."""
        fresh = [_fresh(arg) if isinstance(arg, Tensor) else arg for arg in ctx.args]
        now = get_rng_state()
        set_rng_state(now if ctx.state is None else ctx.state)
        with enable_grad():
            outputs = ctx.function(*fresh, **ctx.keywords)
        if ctx.state is not None:
            set_rng_state(now)
        every = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        tensors = [out for out in every if isinstance(out, Tensor)]
        pairs = [(out, grad) for out, grad in zip(tensors, grads, strict=True) if not out.stop_gradient]
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return tuple(arg.grad for arg in fresh if isinstance(arg, Tensor))


def recompute(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Return `function(*args, **kwargs)` without saving tensors for backward: that calls it once more.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/fleet/utils/recompute_en.html)

    Args:
        function: a layer, or a function of tensors.
        *args: its arguments; tensors among them get gradients from the second call.
        preserve_rng_state: draw the same random numbers in both calls.
        **kwargs: its named arguments, which get no gradients.
    """
    return RecomputeFunction.apply(function, preserve_rng_state, kwargs, *args)


def _fresh(tensor: Tensor) -> Tensor:
    """Return a leaf with the values of a tensor, to start a new graph."""
    leaf = tensor.detach()
    leaf.stop_gradient = tensor.stop_gradient
    return leaf


guard_all(globals())
