"""static.accuracy."""

from __future__ import annotations

from typing import Any

from minipaddle.core.names import unique_name
from minipaddle.ops.ordering import largest_k
from minipaddle.ops.scoring import hit_rate
from minipaddle.static.build import static_only
from minipaddle.static.naming import layer
from minipaddle.static.nn.common import checked_input
from minipaddle.static.variable import Variable

__all__ = ["accuracy"]


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Variable:
    """Return the share of rows of `input` whose `label` is among the `k` best: a 0-D float32.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/accuracy_en.html)

    Args:
        input: scores [N, classes].
        label: [N, 1], int64.
        k: how many guesses count.
        correct: accepted.
        total: accepted.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    static_only("accuracy")
    checked_input(input, "accuracy")
    with layer(unique_name("accuracy")):
        best, indices = largest_k(input, k, sorted=False)
        found: Variable = hit_rate(best, indices, label)[0]
        return found
