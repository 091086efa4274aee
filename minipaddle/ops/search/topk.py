"""``accuracy``: how many rows have their label among the best guesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator


def _three_numbers(x: Meta, indices: Meta, label: Meta) -> tuple[Meta, Meta, Meta]:
    """Shape rule: a share and two counts."""
    count = Meta((), np.dtype("int32"))
    return Meta((), np.dtype("float32")), count, count


@operator(
    "accuracy",
    "Out, Indices, Label -> Accuracy, Correct, Total",
    name="hit_rate",
    infer=_three_numbers,
    latex=r"\frac{1}{n} \sum_i [l_i \in \mathrm{best}_i]",
    example=lambda rng: (
        [rng.uniform(0, 1, (4, 2)), rng.integers(0, 3, (4, 2)), rng.integers(0, 3, (4, 1))],
        {},
    ),
)
def hit_rate(x: Array, indices: Array, label: Array) -> Any:
    """Return the share of rows whose `label` [N, 1] is among the `indices` [N, k] of the best, their number, and N."""
    correct = (indices == label.reshape(-1, 1)).any(axis=1).sum()
    return np.float32(correct / max(len(indices), 1)), np.int32(correct), np.int32(len(indices))
