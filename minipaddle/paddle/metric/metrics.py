"""Metrics: each counts in ``update`` and returns its value in ``accumulate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.tensor.methods import host
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.ops.search.sort import accuracy_op, top_k_v2


def _array(value: Any) -> Array:
    return host(value, "metric") if isinstance(value, Tensor) else np.asarray(value)


class Metric:
    """Base of all; derive from it and define reset, update, accumulate and name."""

    def reset(self) -> None:
        """Forget all batches."""
        raise NotImplementedError(f"function 'reset' not implemented in {type(self).__name__}.")

    def update(self, *args: Any) -> Any:
        """Count one batch."""
        raise NotImplementedError(f"function 'update' not implemented in {type(self).__name__}.")

    def accumulate(self) -> Any:
        """Return the value over all batches so far."""
        raise NotImplementedError(f"function 'accumulate' not implemented in {type(self).__name__}.")

    def name(self) -> Any:
        """Return the name of the metric."""
        raise NotImplementedError(f"function 'name' not implemented in {type(self).__name__}.")

    def compute(self, *args: Any) -> Any:
        """Prepare a batch for ``update``; by default, pass it on."""
        return args


class Accuracy(Metric):
    """The share of examples whose label is among the `topk` best scores.

    Args:
        topk: one number, or several for one value each.
        name: "acc" unless given.
    """

    def __init__(
        self, topk: Sequence[int] = (1,), name: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        self.topk = (topk,) if isinstance(topk, int) else tuple(topk)
        self.maxk = max(self.topk)
        stem = name or "acc"
        self._name = [stem] if self.maxk == 1 else [f"{stem}_top{k}" for k in self.topk]
        self.reset()

    def reset(self) -> None:
        """Forget all examples."""
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def compute(self, pred: Any, label: Any, *args: Any) -> Tensor:
        """Return a Tensor [..., maxk] that is 1 where the k-th best guess is right.

        Args:
            pred: scores [..., classes].
            label: class numbers [...] or [..., 1], or one-hot rows [..., classes].
        """
        scores, labels = _array(pred), _array(label)
        best = np.argsort(-scores, axis=-1, kind="stable")[..., : self.maxk]
        if labels.ndim == 1 or (labels.ndim == 2 and labels.shape[-1] == 1):
            labels = labels.reshape(-1, 1)
        elif labels.shape[-1] != 1:
            labels = np.argmax(labels, axis=-1)[..., np.newaxis]
        return Tensor((best == labels).astype("float32"))

    def update(self, correct: Any, *args: Any) -> Any:
        """Count a result of ``compute``; return the accuracy of this batch (a list for several k)."""
        hits = _array(correct)
        examples = int(np.prod(hits.shape[:-1]))
        found = [float(hits[..., :k].sum()) for k in self.topk]
        self.total = [total + new for total, new in zip(self.total, found)]
        self.count = [count + examples for count in self.count]
        return self._answer([new / examples for new in found])

    def accumulate(self) -> Any:
        """Return the accuracy so far, 0.0 before the first batch."""
        return self._answer([total / count if count else 0.0 for total, count in zip(self.total, self.count)])

    def _answer(self, values: list[float]) -> Any:
        return values[0] if len(values) == 1 else values

    def name(self) -> list[str]:
        """Return ``["acc"]``, or ``["acc_top1", "acc_top5"]``."""
        return self._name


class Auc(Metric):
    """The area under a curve over all thresholds, from a histogram of the probabilities of class 1.

    Args:
        curve: "ROC", true positives over false ones, or "PR", precision over recall.
        num_thresholds: the number of bins of the histogram.
        name: "auc" unless given.
    """

    def __init__(
        self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc", *args: Any, **kwargs: Any
    ) -> None:
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve should be 'ROC' or 'PR', but received {curve!r}")
        self._name, self.curve = name, curve
        self.num_thresholds = num_thresholds
        self.reset()

    def reset(self) -> None:
        """Forget all examples."""
        self.positive = np.zeros(self.num_thresholds + 1)
        self.negative = np.zeros(self.num_thresholds + 1)

    def update(self, preds: Any, labels: Any, *args: Any) -> None:
        """Count a batch: `preds` [examples, 2] probabilities, `labels` 0 or 1."""
        bins = (_array(preds)[:, 1] * self.num_thresholds).astype("int64")
        true = _array(labels).reshape(-1).astype(bool)
        np.add.at(self.positive, bins[true], 1)
        np.add.at(self.negative, bins[~true], 1)

    def accumulate(self) -> float:
        """Return the area by trapezoids; 0.0 while one of the classes is missing."""
        above = np.concatenate([[0.0], np.cumsum(self.positive[::-1])])
        wrong = np.concatenate([[0.0], np.cumsum(self.negative[::-1])])
        if not above[-1] or not wrong[-1]:
            return 0.0
        along, height = wrong / wrong[-1], above / above[-1]
        if self.curve == "PR":
            taken = above + wrong > 0
            along, height = above[taken] / above[-1], (above / np.maximum(above + wrong, 1))[taken]
            along, height = np.append(0.0, along), np.append(height[0], height)
        return float(((along[1:] - along[:-1]) * (height[1:] + height[:-1]) / 2).sum())

    def name(self) -> str:
        """Return the name."""
        return self._name


def accuracy(
    input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None, name: str | None = None
) -> Any:
    """Return the share of rows of `input` [N, classes] whose `label` [N, 1] is among the `k` best."""
    if label.dtype == "int32":
        label = label.astype("int64")
    return accuracy_op(*top_k_v2(input, k), label)[0]
