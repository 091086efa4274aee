"""Loss layers that few scripts need: functions with their arguments kept, and those with parameters of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.ops.activation.softmax import log_softmax
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.search.argmax import argmax
from minipaddle.ops.views.reshape import unsqueeze
from minipaddle.paddle.nn.functional import distance, likelihoods, margins, trees
from minipaddle.paddle.nn.functional.common import linear
from minipaddle.paddle.nn.layer.kept import Kept
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.loss import Loss


class SoftMarginLoss(Loss, function=margins.soft_margin_loss, inputs=2):
    """``ln(1 + exp(-label * input))``; see ``nn.functional.soft_margin_loss``."""


class CosineEmbeddingLoss(Loss, function=margins.cosine_embedding_loss, inputs=3):
    """Angles between pairs that are alike (label 1) or not (-1); see ``nn.functional.cosine_embedding_loss``."""

    def __init__(self, margin: float = 0, reduction: str = "mean", name: str | None = None) -> None:
        if not -1 <= margin <= 1:
            raise ValueError(
                f"The value of 'margin' in CosineEmbeddingLoss ranges from -1 to 1, but received {margin}"
            )
        super().__init__(margin, reduction, name)


class MultiMarginLoss(Loss, function=margins.multi_margin_loss, inputs=2):
    """The label wins by a margin; see ``nn.functional.multi_margin_loss``."""


class MultiLabelMarginLoss(Loss, function=margins.multi_label_margin_loss, inputs=2):
    """Several labels win by a margin; see ``nn.functional.multi_label_margin_loss``."""


class MultiLabelSoftMarginLoss(Loss, function=margins.multi_label_soft_margin_loss, inputs=2):
    """Cross entropy of many yes-no questions; see ``nn.functional.multi_label_soft_margin_loss``."""


class TripletMarginLoss(Loss, function=margins.triplet_margin_loss, inputs=3):
    """The negative is farther than the positive; see ``nn.functional.triplet_margin_loss``."""

    def __init__(self, margin: float = 1.0, p: float = 2.0, *args: Any, **kwargs: Any) -> None:
        if margin < 0:
            raise ValueError(
                "The margin between positive samples and negative samples should be greater than 0."
            )
        super().__init__(margin, p, *args, **kwargs)


class TripletMarginWithDistanceLoss(Loss, function=margins.triplet_margin_with_distance_loss, inputs=3):
    """The negative is farther than the positive, by a distance of your own."""

    def __init__(self, distance_function: Any = None, margin: float = 1.0, *args: Any, **kwargs: Any) -> None:
        if margin < 0:
            raise ValueError(
                "The margin between positive samples and negative samples should be greater than 0."
            )
        super().__init__(distance_function, margin, *args, **kwargs)


class GaussianNLLLoss(Loss, function=likelihoods.gaussian_nll_loss, inputs=3):
    """Minus the logarithm of the normal density; see ``nn.functional.gaussian_nll_loss``."""


class PoissonNLLLoss(Loss, function=likelihoods.poisson_nll_loss, inputs=2):
    """Minus the logarithm of the Poisson probability; see ``nn.functional.poisson_nll_loss``."""

    def __init__(
        self, log_input: bool = True, full: bool = False, epsilon: float = 1e-8, *args: Any, **kw: Any
    ) -> None:
        if epsilon <= 0:
            raise ValueError(
                f"The value of `epsilon` in PoissonNLLLoss should be positive, but received {epsilon:f}, which is not "
                "allowed"
            )
        super().__init__(log_input, full, epsilon, *args, **kw)


class PairwiseDistance(
    Kept, function=distance.pairwise_distance, inputs=2, shown="p epsilon? keepdim? name?"
):
    """The p-norm of differences; see ``nn.functional.pairwise_distance``."""


class CTCLoss(Layer):
    """Label sequences of any timing; see ``nn.functional.ctc_loss``."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(
        self, log_probs: Any, labels: Any, input_lengths: Any, label_lengths: Any, norm_by_times: bool = False
    ) -> Any:
        """Compare scores [steps, batch, classes] with labels [batch, longest]."""
        return likelihoods.ctc_loss(
            log_probs, labels, input_lengths, label_lengths, self.blank, self.reduction, norm_by_times,
            self.zero_infinity,
        )  # fmt: skip


class HSigmoidLoss(Layer):
    """A tree of sigmoids with its parameters; see ``nn.functional.hsigmoid_loss``."""

    def __init__(
        self,
        feature_size: int,
        num_classes: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        is_custom: bool = False,
        is_sparse: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if num_classes < 2 and not is_custom:
            raise ValueError("num_classes must not be less than 2 with default tree")
        self._feature_size, self._num_classes = feature_size, num_classes
        self._is_custom, self._is_sparse = is_custom, is_sparse
        nodes = num_classes if is_custom else num_classes - 1
        self.weight = self.create_parameter([nodes, feature_size], weight_attr)
        self.bias = self.create_parameter([nodes, 1], bias_attr, is_bias=True)

    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> Any:
        """[N, D] and labels become losses [N, 1]."""
        return trees.hsigmoid_loss(
            input, label, self._num_classes, self.weight, self.bias, path_table, path_code, self._is_sparse
        )


class AdaptiveLogSoftmaxWithLoss(Layer):
    """Frequent classes chosen directly, the others by clusters; see the function of that name.

    As in Paddle, the matrices of the clusters are in `tail_weights` only, not among the parameters.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        weight_attr: Any = None,
        bias_attr: Any = None,
        div_value: float = 4.0,
        head_bias: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        sizes = list(cutoffs)
        if not sizes or sizes != sorted(set(sizes)) or sizes[0] <= 0 or sizes[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                "value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*sizes, n_classes]
        self.div_value, self.is_head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = sizes[0], len(sizes)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head_weight = self.create_parameter([in_features, self.head_size], weight_attr)
        self.head_bias = (
            self.create_parameter([self.head_size], bias_attr, is_bias=True) if head_bias else None
        )
        self.tail_weights: list[list[Any]] = []
        for number, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            width = int(in_features // div_value ** (number + 1))
            both = [
                self.create_parameter(shape, weight_attr)
                for shape in ([in_features, width], [width, high - low])
            ]
            self.tail_weights.append(both)

    def forward(self, input: Any, label: Any) -> Any:
        """Return the log-probabilities of the labels, and minus their mean."""
        return trees.adaptive_log_softmax_with_loss(
            input, label, self.head_weight, self.tail_weights, self.cutoffs, self.head_bias
        )

    def log_prob(self, input: Any) -> Any:
        """Return the log-probabilities of all classes [N, n_classes]."""
        head = log_softmax(linear(input, self.head_weight, self.head_bias), 1)
        parts = [head[:, : self.shortlist_size]]
        for number, tail in enumerate(self.tail_weights):
            entry = unsqueeze(head[:, self.shortlist_size + number], [1])
            parts.append(trees.cluster_log_probs(input, tail) + entry)
        return concat(parts, 1)

    def predict(self, input: Any) -> Any:
        """Return the most probable class of each row, as a float, as in Paddle."""
        return cast(argmax(self.log_prob(input), 1), "float32")
