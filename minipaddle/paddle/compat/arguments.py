"""What the functions share: Paddle's own keywords are refused with a hint, and results go where `out` says."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import failure
from minipaddle.ops.creation.assign import assign

_Called = TypeVar("_Called", bound=Callable[..., Any])


def not_paddles(keywords: str, name: str) -> Callable[[_Called], _Called]:
    """Return a decorator: who calls with one of these keywords of Paddle's is told of Paddle's own function.

    Args:
        keywords: in a row.
        name: of both functions, below ``paddle`` and below ``paddle.compat``.
    """

    def decorate(function: Any) -> Any:
        @wraps(function)
        def called(*args: Any, **told: Any) -> Any:
            if wrong := sorted(set(keywords.split()) & set(told)):
                plural = "s" if len(wrong) > 1 else ""
                raise failure(
                    TypeError,
                    f"paddle.compat.{name}() received unexpected keyword argument{plural} "
                    f"{', '.join(map(repr, wrong))}. \nDid you mean to use paddle.{name}() instead?",
                )
            return function(*args, **told)

        return called

    return decorate


def check_out(out: Any, two: bool) -> None:
    """Refuse an `out` that is not a Tensor, or two of them.

    Raises:
        TypeError: **Expected**.
    """
    if out is None or (not two and isinstance(out, Tensor)):
        return
    if not two:
        raise failure(TypeError, f"Expected a Tensor, got {type(out)} instead.")
    if not isinstance(out, tuple | list) or len(out) != 2:
        raise failure(TypeError, f"Expected a list or tuple of two tensors, got {type(out)} instead.")
    if not all(isinstance(one, Tensor) for one in out):
        kinds = f"({type(out[0])}, {type(out[1])})"
        raise failure(TypeError, f"Expected Tensor type in the tuple/list, got {kinds} instead.")


def put(result: Any, out: Any) -> Any:
    """Return a result, written into `out` as well: a Tensor, or a tuple of two."""
    if isinstance(result, tuple) and out is not None:
        for one, target in zip(result, out, strict=True):
            assign(one, target)
    elif out is not None:
        assign(result, out)
    return result
