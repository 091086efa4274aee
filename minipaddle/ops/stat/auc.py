"""The area under the ROC curve, from counts that go on from batch to batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator


def _area_and_counts(
    predict: Meta, label: Meta, stat_pos: Meta, stat_neg: Meta, **attrs: Any
) -> tuple[Meta, Meta, Meta]:
    return Meta((), np.dtype("float64")), stat_pos, stat_neg


@operator(
    "auc",
    "Predict, Label, StatPos, StatNeg -> AUC~, StatPosOut~, StatNegOut~",
    infer=_area_and_counts,
    example=lambda rng: (
        [rng.uniform(0, 1, (4, 2)), np.array([[0], [1], [1], [0]]), *np.zeros((2, 1, 8), "int64")],
        {"num_thresholds": 7},
    ),
    latex=r"P(\hat p_+ > \hat p_-)",
    page="static/auc",
)
def auc_op(
    predict: Array,
    label: Array,
    stat_pos: Array,
    stat_neg: Array,
    curve: str = "ROC",
    num_thresholds: int = 4095,
    slide_steps: int = 0,
) -> Any:
    """Count this batch, and return the area under the curve of what is counted, and the counts.

    Args:
        predict: probabilities [examples, classes]; those of the last class count.
        label: [examples, 1]; what is not 0 is of this class.
        stat_pos: how often each of ``num_thresholds + 1`` probabilities was met, for examples of the class. With
            `slide_steps` there are as many rows, one for each of the last batches, then their sum, then one number: how
            many batches there were.
        stat_neg: the same for the other examples.
        curve: a name; the area is that under the ROC curve whatever it says, as in Paddle.
        num_thresholds: how fine probabilities are told apart.
        slide_steps: how many batches count; 0: all.
    """
    bins = (predict[:, -1] * num_thresholds).astype("int64")
    true = label.reshape(-1) != 0
    counts = [np.bincount(bins[chosen], minlength=num_thresholds + 1) for chosen in (true, ~true)]
    stats = [_counted(stat, new, slide_steps) for stat, new in zip((stat_pos, stat_neg), counts, strict=True)]
    size = num_thresholds + 1
    start = slide_steps * size
    positive, negative = (stat.reshape(-1)[start : start + size] for stat in stats)
    return _area(positive, negative), *stats


def _counted(stat: Array, new: Array, slide_steps: int) -> Array:
    """Return the counts with those of a batch; see :func:`auc_op`."""
    if not slide_steps:
        return stat + new.reshape(stat.shape)
    found = stat.copy()
    size = len(new)
    start = int(found[-1]) % slide_steps * size
    found[slide_steps * size : -1] += new - found[start : start + size]
    found[start : start + size] = new
    found[-1] += 1
    return found


def _area(positive: Array, negative: Array) -> Any:
    """Return the area by trapezoids; 0 while one of the classes is missing."""
    above, wrong = (np.concatenate([[0], np.cumsum(counts[::-1])]) for counts in (positive, negative))
    if not above[-1] or not wrong[-1]:
        return np.float64(0.0)
    area = (np.diff(wrong) * (above[1:] + above[:-1])).sum() / 2
    return np.float64(area / above[-1] / wrong[-1])
