"""Products of a function with its Jacobian, backwards (vjp) and forwards (jvp): ``paddle.incubate.autograd``.

A function is called once, on copies of its arguments. Read next: ``derivatives.py``, with whole Jacobians.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.errors import guard_all
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import assign
from minipaddle.paddle.autograd.derivatives import gradient, zeros

__all__ = ["jvp", "vjp"]


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return ``func(*xs)``, and `v` times its Jacobian: the gradients of the arguments.

    Args:
        func: takes tensors and returns one or several.
        xs: a tensor, or a sequence of them.
        v: as many tensors as `func` returns, of their shapes; None: ones.

    Raises:
        TypeError: naming the argument with a wrong type.
        RuntimeError: if `v` and the results differ in shape.
    """
    inputs, ys = _called(func, xs, v)
    _check_shapes(v, ys)
    return ys, gradient(ys, inputs, _separate(v))


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return ``func(*xs)``, and its Jacobian times `v`: the change of the results when the arguments move along `v`.

    The gradient is linear in its seed; differentiating it by the seed makes two backward passes one forward product.

    Arguments and errors are those of :func:`vjp`, but `v` has the shapes of `xs`.
    """
    inputs, ys = _called(func, xs, v)
    _check_shapes(v, inputs)
    starts: Any = [zeros(y, False) for y in ys] if isinstance(ys, Sequence) else zeros(ys, False)
    return ys, gradient(gradient(ys, inputs, starts), starts, _separate(v))


# -- arguments -----------------------------------------------------------------------------------------------


def _called(func: Any, xs: Any, v: Any) -> tuple[Any, Any]:
    """Return copies of `xs`, and `func` of these copies.

    Raises:
        TypeError: naming the argument with a wrong type.
    """
    if not callable(func):
        raise TypeError(f"Expected 'fun' is Callable, but got {type(func)}.")
    if not isinstance(xs, (Value, Sequence)):
        raise TypeError(f"Expected 'xs' is a Tensor|Sequence[Tensor], but got {type(xs)}.")
    if not isinstance(v, (Value, Sequence, type(None))):
        raise TypeError(f"Expected 'v' is Tensor|Sequence[Tensor]|None, but got {type(v)}.")
    for given in (xs, v):
        if isinstance(given, Sequence) and not all(isinstance(one, Value) for one in given):
            raise TypeError("All elements of 'xs' should be Tensor.")
    inputs = _separate(xs)
    return inputs, func(*inputs) if isinstance(inputs, Sequence) else func(inputs)


def _separate(x: Any) -> Any:
    """Return copies of tensors that require gradients: `func` does not change the originals."""
    if isinstance(x, Sequence):
        return tuple([_separate(one) for one in x])
    if x is None or not x.stop_gradient:
        return None if x is None else assign(x)
    x = x.detach()
    x.stop_gradient = False
    return x


def _check_shapes(v: Any, refs: Any) -> None:
    if v is None:
        return
    given, wanted = (one if isinstance(one, Sequence) else [one] for one in (v, refs))
    if len(given) != len(wanted):
        raise RuntimeError(
            f"The argument v is a tuple of invalid length:should be {len(wanted)} but got {len(given)}."
        )
    for place, (one, ref) in enumerate(zip(given, wanted, strict=True)):
        if list(one.shape) != list(ref.shape):
            raise RuntimeError(
                f"The v[{place}] has invalid shape: should be {ref.shape} but got {one.shape}."
            )


guard_all(globals())
