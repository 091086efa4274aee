"""class_center_sample: the classes of a batch, and some others by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine


def _infer(label: Meta, num_classes: int, num_samples: int, **seeds: Any) -> tuple[Meta, Meta]:
    """Shape rule of :func:`class_center_sample`; more classes may be in the batch than are asked for."""
    if num_samples > num_classes:
        raise failure(
            ValueError,
            f"Expected num_samples less than or equal to {num_classes}, got num_samples {num_samples}",
        )
    if label.ndim != 1:
        raise failure(ValueError, f"Expected label_dims == 1 (got label_dims: {label.ndim})")
    if label.shape == (0,):
        raise failure(ValueError, "Expected label_size > 0 (got label_size: 0)")
    return label, Meta((-1,), label.dtype)


def _example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    return [rng.integers(0, 9, (4,))], {"num_classes": 9, "num_samples": 6}


@listed(Listing(ring_id=0, rank=0, nranks=1))
@operator(
    "class_center_sample", "Label -> RemappedLabel~, SampledLocalClassCenter~", kinds="iu", infer=_infer, random=True,
    example=_example, page="nn/functional/class_center_sample",
)  # fmt: skip
def class_center_sample(
    label: Array, num_classes: int, num_samples: int, fix_seed: bool = False, seed: int = 0
) -> tuple[Array, ...]:
    """Return the labels by their places among the sampled classes, and these: those of the batch first, in order.

    `label`: int32 or int64 [batch]. Others are drawn until there are `num_samples` (arXiv 2010.05222).

    Raises:
        ValueError: **Expected num_samples less than or equal to**, **label_dims == 1**, **label_size > 0**.
    """
    if num_samples > num_classes or label.ndim != 1 or not label.size:
        raise ValueError  # worded by the shape rule
    sampled, remapped = np.unique(label, return_inverse=True)
    chosen = sampled.tolist()
    source = engine(seed if fix_seed else 0)
    known = set(chosen)
    while len(chosen) < num_samples:
        one = int(draws.integers(source, (1,), np.dtype("int64"), 0, num_classes)[0])
        if one not in known:
            known.add(one)
            chosen.append(one)
    return remapped.reshape(-1).astype(label.dtype), np.array(chosen, label.dtype)
