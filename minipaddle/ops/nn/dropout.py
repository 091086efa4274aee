"""Dropout: random elements are set to zero in training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from minipaddle.ops.definition import Array, Claim, Meta, Seen, formula, lesson, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine

_NAMES = (
    lambda mode: mode.replace("downscale", "downgrade"),
    lambda name: name.replace("downgrade", "downscale"),
)
"""Converts the mode to its name in a Program, and back."""


def _mask_shape(shape: tuple[int, ...], axis: Sequence[int] | None) -> tuple[int, ...]:
    """Return the mask's shape: size 1 on axes not in `axis`."""
    return shape if axis is None else tuple(size if i in axis else 1 for i, size in enumerate(shape))


@listed(Listing("axis", "seed", dropout_prob=of("p"), dropout_implementation=of("mode", *_NAMES)))
@draws_numbers()
@tried_with((2, 3), p=0.0)
@operator(
    "dropout",
    infer=lambda x, axis, **attrs: (x, Meta(_mask_shape(x.shape, axis), x.dtype)),
    outputs=("out", "mask"),
    by_products=("mask",),
)
def dropout(
    x: Array,
    *,
    p: float = 0.5,
    axis: Sequence[int] | None = None,
    is_test: bool = False,
    mode: str = "upscale_in_train",
    seed: int | None = None,
) -> tuple[Array, ...]:
    """Zero each element with probability `p`.

    Without a `seed` the Program's seed is used, if there is one.

    Returns:
        the output, and the mask: what each element was multiplied by, so that the gradient is ``dy * mask``. With
        ``upscale_in_train`` survivors are scaled by 1 / (1 - p); with ``downscale_in_infer`` all is by 1 - p in a test.
    """
    shape = _mask_shape(x.shape, axis)
    upscale = mode == "upscale_in_train"
    if is_test:
        mask = np.full(shape, 1.0 if upscale else 1.0 - p, x.dtype)
    else:
        mask = np.zeros(shape, x.dtype)
        if p < 1:  # else nothing is drawn
            survivors = draws.uniform(engine(seed), shape, np.dtype(np.float32)) >= p
            mask[survivors] = 1 / (1 - float(np.float32(p))) if upscale else 1  # Paddle holds p in float32
    return x * mask, mask


formula(dropout, lambda x, mask: x * mask)
dropout.gradient("x")(lambda dy, mask: dy * mask)


@lesson(dropout)
def _(dy: Seen, mask: Seen) -> Iterator[Claim]:
    if mask.array is not None:
        dropped = np.sum(mask.array == 0, dtype=np.int64)
        yield Claim(
            "dropout dropped {count} of {size} elements: no gradient passes there",
            dropped > 0,
            count=dropped,
            size=mask.array.size,
        )
