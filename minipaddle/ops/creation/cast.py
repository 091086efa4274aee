"""Elements of another dtype: cast."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, as_numpy, mark, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, as_code, derived, from_code, listed, of


def numpy_dtype(value: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of an array, a Tensor or a Variable."""
    dtype = getattr(value, "array", value).dtype
    return dtype if isinstance(dtype, np.dtype) else as_numpy(dtype)


@listed(
    Listing(
        in_dtype=derived(lambda attrs, metas: as_code(metas[0].dtype if metas and metas[0] else None)),
        out_dtype=of("dtype", as_code, from_code),
    )
)
@tried_with((2, 3), dtype="float64")  # differences of float32 numbers are too coarse
@operator("cast", infer=lambda x, dtype: Meta(x.shape, as_numpy(dtype)))
def cast(x: Array, *, dtype: Any) -> Any:
    """Convert the elements to `dtype`; the gradient is converted back.

    Floats are truncated towards zero to become integers; anything but 0 is True. The result is always a copy.
    """
    return x.astype(as_numpy(dtype))


mark("same numbers", cast)
cast.gradient("x", program=True)(lambda dy, x_dtype: cast(dy, x_dtype))
