"""PyLayer: an operator whose forward and backward the user writes in Python.

``PyLayer.apply`` mints an operator for the call. Its record keeps one thing, the context, and its plan runs the user's
``backward`` where a built-in operator would run its rules; the rest of the tape notices no difference.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from minipaddle.engine.custom.call import PyLayerCall
from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.tensor.grad_mode import no_grad

__all__ = ["PyLayer", "PyLayerContext", "once_differentiable"]


class PyLayer:
    """Base of custom operators: write ``forward`` and ``backward`` as static methods, call ``apply``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/autograd/PyLayer_en.html)
    """

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; at least one must be a Tensor. Runs with recording off.

        Raises:
            NotImplementedError: unless the subclass defines it.
        """
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: PyLayerContext, *args: Any) -> Any:
        """Return one gradient per Tensor input of ``forward``, given one per Tensor output.

        Raises:
            NotImplementedError: unless the subclass defines it.
        """
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, /, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` on the arguments and return what it returns, connected to the graph.

        Raises:
            ValueError: if no output is a Tensor, or a leaf that requires a gradient is returned as it came.
        """
        return mode_now().apply_custom(PyLayerCall(cls, args, kwargs))


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``backward`` whose own gradient makes no sense: it runs unrecorded."""

    @functools.wraps(backward)
    def wrapper(ctx: PyLayerContext, *grads: Any) -> Any:
        with no_grad():
            return backward(ctx, *grads)

    return wrapper
