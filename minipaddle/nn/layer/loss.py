"""Loss layers: functions with their arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.core.later import of_front
from minipaddle.core.value import Value
from minipaddle.nn import functional as F
from minipaddle.nn.layer.layers import Layer


def known(reduction: str, kind: str, *more: str) -> str:
    """Return `reduction`.

    Raises:
        ValueError: **reduction**, if it is none.
    """
    if reduction not in ("sum", "mean", "none", *more):
        raise ValueError(
            f"The value of 'reduction' in {kind} should be 'sum', 'mean' or 'none', but received "
            f"{reduction}, which is not allowed."
        )
    return reduction


class CrossEntropyLoss(Layer):
    """Cross entropy of a choice between classes; see :func:`minipaddle.nn.functional.cross_entropy`."""

    def __init__(
        self,
        weight: Value | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.weight, self.ignore_index = weight, ignore_index
        self.reduction = known(reduction, "CrossEntropyLoss")
        self.soft_label, self.axis, self.use_softmax = soft_label, axis, use_softmax
        self.label_smoothing = label_smoothing

    def forward(self, input: Value, label: Value) -> Any:
        """Compare scores with labels."""
        return F.cross_entropy(
            input, label, self.weight, self.ignore_index, self.reduction, self.soft_label, self.axis,
            self.use_softmax, self.label_smoothing,
        )  # fmt: skip


class MSELoss(Layer):
    """Mean (or sum) of the squared differences; see :func:`minipaddle.nn.functional.mse_loss`."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = known(reduction, "MSELoss")

    def forward(self, input: Value, label: Value) -> Any:
        """Compare."""
        return F.mse_loss(input, label, self.reduction)


class L1Loss(Layer):
    """Mean (or sum) of the absolute differences; see :func:`minipaddle.nn.functional.l1_loss`."""

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        self.reduction = known(reduction, "L1Loss")

    def forward(self, input: Value, label: Value) -> Any:
        """Compare."""
        return F.l1_loss(input, label, self.reduction)


class SmoothL1Loss(Layer):
    """Square of small differences, straight line for large ones."""

    def __init__(
        self, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None
    ) -> None:
        super().__init__()
        self.reduction, self.delta, self.is_huber = reduction, delta, is_huber

    def forward(self, input: Value, label: Value) -> Any:
        """Compare."""
        return F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber)


class NLLLoss(Layer):
    """Minus the log-probability of each label; see :func:`minipaddle.nn.functional.nll_loss`."""

    def __init__(
        self,
        weight: Value | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._weight, self._ignore_index = weight, ignore_index
        self._reduction = known(reduction, "nll_loss")

    def forward(self, input: Value, label: Value) -> Any:
        """Look the labels up."""
        return F.nll_loss(input, label, self._weight, self._ignore_index, self._reduction)


class BCELoss(Layer):
    """Cross entropy of probabilities; see :func:`minipaddle.nn.functional.binary_cross_entropy`."""

    def __init__(self, weight: Value | None = None, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        self.weight, self.reduction = weight, known(reduction, "bce_loss")

    def forward(self, input: Value, label: Value) -> Any:
        """Compare."""
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(Layer):
    """Cross entropy of ``sigmoid(logit)``; see ``nn.functional.binary_cross_entropy_with_logits``."""

    def __init__(
        self,
        weight: Value | None = None,
        reduction: str = "mean",
        pos_weight: Value | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.weight, self.pos_weight = weight, pos_weight
        self.reduction = known(reduction, "BCEWithLogitsLoss")

    def forward(self, logit: Value, label: Value) -> Any:
        """Compare."""
        return F.binary_cross_entropy_with_logits(logit, label, self.weight, self.reduction, self.pos_weight)


class KLDivLoss(Layer):
    """Divergence from one distribution to another; see :func:`minipaddle.nn.functional.kl_div`."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__()
        self.reduction, self.log_target = reduction, log_target

    def forward(self, input: Value, label: Value) -> Any:
        """Compare log-probabilities with probabilities."""
        return F.kl_div(input, label, self.reduction, self.log_target)


class MarginRankingLoss(Layer):
    """Penalty for a wrong order; see :func:`minipaddle.nn.functional.margin_ranking_loss`."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        self.margin, self.reduction = margin, known(reduction, "MarginRankingLoss")

    def forward(self, input: Value, other: Value, label: Value) -> Any:
        """Compare."""
        return F.margin_ranking_loss(input, other, label, self.margin, self.reduction)


class HingeEmbeddingLoss(Layer):
    """Hinge for pairs that belong together or not; see ``nn.functional.hinge_embedding_loss``."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        self.margin, self.reduction = margin, known(reduction, "HingeEmbeddingLoss")

    def forward(self, input: Value, label: Value) -> Any:
        """Compare."""
        return F.hinge_embedding_loss(input, label, self.margin, self.reduction)


__getattr__ = of_front(globals(), "minipaddle.nn")
