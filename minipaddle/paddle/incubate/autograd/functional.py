"""What ``paddle.incubate.autograd`` does with functions: products with their Jacobians, and Jacobians and Hessians.

A function is called once, on copies of its arguments. Read next: ``derivatives.py``, where the rows come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.core.later import front
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.creation.full import zeros_like
from minipaddle.paddle.incubate.autograd.derivatives import Rows, checked_index, gradient

__all__ = ["Hessian", "Jacobian", "jvp", "vjp"]


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return ``func(*xs)``, and `v` times its Jacobian: the gradients of the arguments.

    Args:
        func: takes tensors and returns one or several.
        xs: a tensor, or a sequence of them.
        v: as many tensors as `func` returns, of their shapes; None: ones.

    Raises:
        TypeError: naming what is of the wrong type.
        RuntimeError: if the shapes of `v` are not those of the results.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/vjp_en.html
    """
    _check(func, xs, v)
    inputs = _separate(xs)
    ys = _called(func, inputs)
    _check_shapes(v, ys)
    return ys, gradient(ys, inputs, _separate(v))


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """Return ``func(*xs)``, and its Jacobian times `v`: how the results change when the arguments move along `v`.

    The gradient is linear in what it begins with, so it is differentiated by that: two passes backward are one forward.

    Args:
        func: takes tensors and returns one or several.
        xs: a tensor, or a sequence of them.
        v: as many tensors, of the same shapes; None: ones.

    Raises:
        TypeError: naming what is of the wrong type.
        RuntimeError: if the shapes of `v` are not those of `xs`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/jvp_en.html
    """
    _check(func, xs, v)
    inputs = _separate(xs)
    ys = _called(func, inputs)
    _check_shapes(v, inputs)
    return ys, pushed_forward(ys, inputs, _separate(v))


def pushed_forward(ys: Any, xs: Any, v: Any) -> Any:
    """Return how `ys` change when `xs` move along `v`."""
    if isinstance(ys, Sequence):
        starts: Any = [_start(y) for y in ys]
    else:
        starts = _start(ys)
    return gradient(gradient(ys, xs, starts), starts, v)


def _start(y: Any) -> Any:
    zeros = zeros_like(y)
    zeros.stop_gradient = False
    return zeros


class Jacobian:
    """The derivatives of what `func` returns by `xs`: a matrix [M, N], of a batch [B, M, N], whose rows are lazy.

    Args:
        func: takes tensors and returns one or several.
        xs: a tensor, or a sequence of them; several are one vector.
        is_batched: whether the first axis counts the examples of a batch.

    Raises:
        TypeError: naming what is of the wrong type.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/Jacobian_en.html
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        _check(func, xs)
        inputs = _separate(xs)
        self._rows = Rows(_called(func, inputs), inputs, is_batched)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return self._rows.shape

    def __getitem__(self, index: Any) -> Any:
        return self._rows[checked_index(index, len(self.shape))]


class Hessian(Jacobian):
    """The second derivatives of the number that `func` returns by `xs`: [N, N], of a batch [B, N, N].

    Args:
        func: takes tensors and returns one with one element, or one for each example of a batch.
        xs: a tensor, or a sequence of them; several are one vector.
        is_batched: whether the first axis counts the examples of a batch.

    Raises:
        RuntimeError: if `func` returns more elements.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/autograd/Hessian_en.html
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        _check(func, xs)

        def slope(*inputs: Any) -> Any:
            first = Rows(_called(func, inputs), inputs, is_batched)
            if first.shape[-2] != 1:
                raise RuntimeError(
                    "The function given to Hessian should return as single element Tensor or batched single element "
                    "Tensor."
                )
            return first.row(0)

        super().__init__(slope, xs, is_batched)


# -- arguments -----------------------------------------------------------------------------------------------


def _called(func: Callable[..., Any], xs: Any) -> Any:
    return func(*xs) if isinstance(xs, Sequence) else func(xs)


def _separate(x: Any) -> Any:
    """Return copies of tensors that want gradients: what `func` does with them is theirs alone."""
    if isinstance(x, Sequence):
        return tuple([_separate(one) for one in x])
    if x is None or not x.stop_gradient:
        return None if x is None else assign(x)
    x = x.detach()
    x.stop_gradient = False
    return x


def _check(func: Any, xs: Any, v: Any = None) -> None:
    if not callable(func):
        raise TypeError(f"Expected 'fun' is Callable, but got {type(func)}.")
    if not isinstance(xs, (Value, Sequence)):
        raise TypeError(f"Expected 'xs' is a Tensor|Sequence[Tensor], but got {type(xs)}.")
    if not isinstance(v, (Value, Sequence, type(None))):
        raise TypeError(f"Expected 'v' is Tensor|Sequence[Tensor]|None, but got {type(v)}.")
    for given in (xs, v):
        if isinstance(given, Sequence) and not all(isinstance(one, Value) for one in given):
            raise TypeError("All elements of 'xs' should be Tensor.")


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


__getattr__ = front(globals())
