"""Loss layers: functions with their arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.operator.lazy_loading import of_front
from minipaddle.engine.value.value import Value
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.function_layers import Kept
from minipaddle.paddle.nn.layer.layers import Layer


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


class Loss(Kept):
    """A loss whose `reduction` is looked at when it is made."""

    said = ""
    """What the error calls it; "": by its class."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known(self.reduction, self.said or type(self).__name__)


class CrossEntropyLoss(Loss, function=F.cross_entropy, inputs=2):
    """Cross entropy of a choice between classes; see :func:`minipaddle.paddle.nn.functional.cross_entropy`."""


class MSELoss(Loss, function=F.mse_loss, inputs=2, without="name"):
    """Mean (or sum) of the squared differences; see :func:`minipaddle.paddle.nn.functional.mse_loss`."""


class L1Loss(Loss, function=F.l1_loss, inputs=2):
    """Mean (or sum) of the absolute differences; see :func:`minipaddle.paddle.nn.functional.l1_loss`."""


class SmoothL1Loss(Kept, function=F.smooth_l1_loss, inputs=2):
    """Square of small differences, straight line for large ones."""


class NLLLoss(Layer):
    """Minus the log-probability of each label; see :func:`minipaddle.paddle.nn.functional.nll_loss`."""

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


class BCELoss(Loss, function=F.binary_cross_entropy, inputs=2):
    """Cross entropy of probabilities; see :func:`minipaddle.paddle.nn.functional.binary_cross_entropy`."""

    said = "bce_loss"


class BCEWithLogitsLoss(Loss, function=F.binary_cross_entropy_with_logits, inputs=2):
    """Cross entropy of ``sigmoid(logit)``; see ``nn.functional.binary_cross_entropy_with_logits``."""


class KLDivLoss(Kept, function=F.kl_div, inputs=2, without="name"):
    """Divergence from one distribution to another; see :func:`minipaddle.paddle.nn.functional.kl_div`."""


class MarginRankingLoss(Loss, function=F.margin_ranking_loss, inputs=3):
    """Penalty for a wrong order; see :func:`minipaddle.paddle.nn.functional.margin_ranking_loss`."""


class CTCLoss(Layer):
    """Label sequences of any timing; see ``nn.functional.ctc_loss``."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(
        self, log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, norm_by_times: bool = False
    ) -> Any:
        """Compare scores [steps, batch, classes] with labels [batch, longest]."""
        return F.ctc_loss(
            log_probs, labels, input_lengths, label_lengths, self.blank, self.reduction, norm_by_times,
            self.zero_infinity,
        )  # fmt: skip


__getattr__ = of_front(globals(), "minipaddle.paddle.nn")
