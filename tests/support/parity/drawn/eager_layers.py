"""PyLayers for random eager programs: :func:`layer` applies the one of that number."""

from __future__ import annotations

from typing import Any

from paddle.autograd import PyLayer
from paddle.autograd.py_layer import once_differentiable

from .arrays import array


def layer(seen: list[Any], kind: int, a: Any, b: Any) -> Any:
    """What the PyLayer of that number makes of two tensors of one shape; what its backward gets is noted."""

    class Plain(PyLayer):
        """Twice the first, whose backward answers for both."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            ctx.set_materialize_grads(kind != 1)
            other = y + 1
            if kind == 2:
                ctx.mark_non_differentiable(other)
            return (x * 2, other) if kind < 4 else x * y

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            note(seen, grads)
            x, y = ctx.saved_tensor()
            if kind == 5:
                raise ValueError("mine")
            if kind == 6:
                return grads[0], grads[0], grads[0]
            first = None if x.stop_gradient else grads[0] * 2 if grads[0] is not None else x * 0.5
            second = None if y.stop_gradient or kind == 3 else y * 1
            return first, second

    class Kept(PyLayer):
        """A tanh that keeps its output."""

        @staticmethod
        def forward(ctx: Any, x: Any, factor: float = 1.0) -> Any:
            y = (x * factor).tanh()
            ctx.save_for_backward(y)
            ctx.factor = factor
            return y

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            note(seen, [grad])
            (y,) = ctx.saved_tensor()
            return grad * (1 - y * y) * ctx.factor

    class Listed(PyLayer):
        """A list goes in, a list comes out."""

        @staticmethod
        def forward(ctx: Any, xs: Any, factor: Any) -> Any:
            return [xs[0] * 2, xs[1] * factor]

        @staticmethod
        def backward(ctx: Any, one: Any, other: Any) -> Any:
            note(seen, [one, other])
            return [one * 2, other * 3]

    class Writes(PyLayer):
        """Writes into its input."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x) if hasattr(ctx, "mark_dirty") else None
            return x.scale_(3.0)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            note(seen, [grad])
            return grad * 3

    if kind < 7:
        made = Plain.apply(a, b)
    elif kind in (7, 8):
        made = Kept.apply(a, factor=0.5) if kind == 7 else Kept.apply(a * 1)
    elif kind == 9:
        made = Listed.apply([a * 1, b * 1], 3)
    else:
        made = Writes.apply(a * 1 if kind == 10 else a)
    return made[0] + made[1] if isinstance(made, (list, tuple)) else made


def note(seen: list[Any], grads: Any) -> None:
    """Keep what a backward was given."""
    seen.append([None if one is None else array(one.numpy()) for one in grads])
