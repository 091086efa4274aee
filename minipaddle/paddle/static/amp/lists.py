"""Which operators of a Program compute in 16 bits: Paddle's lists, and what a script changes about them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minipaddle.engine.core.operator import operators
from minipaddle.ops.common.listed import printed
from minipaddle.paddle.amp.casting import emulated
from minipaddle.paddle.amp.lists import lists

_GRAY_TEXT = """
    batch_norm cast concat dropout elementwise_add elementwise_div elementwise_floordiv elementwise_max
    elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub fill_constant flatten2 gather
    gaussian_random layer_norm leaky_relu pool2d pool3d rank relu relu6 reshape2 scale sigmoid sign slice soft_relu
    split stack tanh top_k transpose2 uniform_random uniform_random_batch_size_like unstack
    """
GRAY = frozenset(_GRAY_TEXT.split())
"""What does as the operator before it."""
ANYWHERE = frozenset(["cast", "conditional_block", "select_input", "while"])
"""What has no kernel of its own for a type."""


def checked_dtype(dtype: Any) -> str:
    """Return ``float16`` or ``bfloat16``.

    Raises:
        ValueError: **dtype should be** one of them.
    """
    dtype = dtype.lower() if isinstance(dtype, str) else dtype
    if dtype not in ("float16", "bfloat16"):
        raise ValueError("If enable AMP, dtype should be 'float16' or 'bfloat16'.")
    found: str = dtype
    return found


def known_types() -> set[str]:
    """Return the types of all operators."""
    return {printed(one).type for one in operators()}


def black(level: str) -> frozenset[str]:
    """Return Paddle's list of what computes in float32 in a level."""
    return lists(level, "float16")[1]


def moved(
    down: Iterable[str] | None, up: Iterable[str] | None, low: set[str], gray: set[str], high: set[str]
) -> None:
    """Move the operators that a script names into the set `low` or the set `high`, out of the others."""
    for name in down or ():
        high.discard(name)
        gray.discard(name)
        low.add(name)
    for name in up or ():
        low.discard(name)
        gray.discard(name)
        high.add(name)


class AutoMixedPrecisionLists:
    """Sets of operator types: cast to 16 bits, cast to float32, and such as do as the operator before them.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/amp/AutoMixedPrecisionLists_en.html)

    Args:
        custom_white_list: more types that are cast to 16 bits.
        custom_black_list: more types that are cast to float32.
        custom_black_varnames: names of Variables whose operators stay in float32.
        dtype: ``float16`` or ``bfloat16``.

    Raises:
        ValueError: **overlaps**, if a type is in both; **dtype should be** one of the two.
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Any = None,
        dtype: str = "float16",
    ) -> None:
        self.amp_dtype = checked_dtype(dtype)
        both = sorted({*(custom_white_list or ())} & {*(custom_black_list or ())})
        if both:
            raise ValueError(f"The given custom_white_list overlaps custom_black_list with < {both[0]} >!")
        down, up = lists("O1", "float16")
        self.white_list, self.black_list, self.gray_list = set(down), set(up), set(GRAY)
        self.all_list = known_types()
        self.unsupported_list = set() if emulated() else self.all_list - ANYWHERE
        self.black_varnames = custom_black_varnames
        moved(custom_white_list, custom_black_list, self.white_list, self.gray_list, self.black_list)
        self.unsupported_list.update(custom_black_list or ())


CustomOpLists = AutoMixedPrecisionLists
