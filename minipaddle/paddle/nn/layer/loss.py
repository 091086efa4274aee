"""Loss layers: each calls a function of ``nn.functional`` with fixed arguments."""

from __future__ import annotations

from functools import partial
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.functional.loss import check_reduction
from minipaddle.paddle.nn.layer.function_layers import FunctionLayer, function_layer
from minipaddle.paddle.nn.layer.layers import Layer


class Loss(FunctionLayer):
    """Base of the losses that check `reduction` on creation."""

    said = ""
    """The name that an error uses; if empty, the name of the class."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        check_reduction(self.reduction, self.said or type(self).__name__)


_two = partial(function_layer, __name__, shown="", inputs=2)
CrossEntropyLoss = _two("CrossEntropyLoss", F.cross_entropy, base=Loss)
MSELoss = _two("MSELoss", F.mse_loss, base=Loss, without="name")
L1Loss = _two("L1Loss", F.l1_loss, base=Loss)
SmoothL1Loss = _two("SmoothL1Loss", F.smooth_l1_loss)
NLLLoss = _two("NLLLoss", F.nll_loss, base=Loss)
BCELoss = _two("BCELoss", F.binary_cross_entropy, base=Loss)
BCEWithLogitsLoss = _two("BCEWithLogitsLoss", F.binary_cross_entropy_with_logits, base=Loss)
KLDivLoss = _two("KLDivLoss", F.kl_div, without="name")
MarginRankingLoss = function_layer(__name__, "MarginRankingLoss", F.margin_ranking_loss, "", Loss, inputs=3)
NLLLoss.said, BCELoss.said = "nll_loss", "bce_loss"


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


__getattr__ = missing(__name__, globals())
