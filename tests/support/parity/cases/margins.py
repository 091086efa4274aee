"""Losses of margins, likelihoods, label sequences, trees and clusters."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, fill, frozen, functional, raises

F, nn = paddle.nn.functional, paddle.nn
cases = Family("margins")

A, B, C = data(3, 4), data(3, 4, seed=2), data(3, 4, seed=3)
SIGNS, CLASSES = np.array([1, -1, 1]), np.array([2, 0, 3])
MANY = np.array([[2, 0, -1, 1], [-1, 1, 1, 1], [3, 2, 1, 0]])
YES = np.array([[0.0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]])

for reduction in ("mean", "sum", "none"):
    for name, arrays in {
        "soft_margin_loss": (A, YES * 2 - 1),
        "cosine_embedding_loss": (A, B, SIGNS),
        "multi_margin_loss": (A, CLASSES),
        "multi_label_margin_loss": (A, MANY),
        "multi_label_soft_margin_loss": (A, YES),
        "triplet_margin_loss": (A, B, C),
        "triplet_margin_with_distance_loss": (A, B, C),
        "gaussian_nll_loss": (A, B, C * C + 0.1),
        "poisson_nll_loss": (A, B * B),
    }.items():
        cases.gradients(f"{name} {reduction}", functional(name, reduction=reduction), *arrays, tolerance=1e-5)
for name, arrays, options in [
    ("multi_margin_loss", (A, CLASSES), {"p": 2, "margin": 0.5}),
    ("triplet_margin_loss", (A, B, C), {"p": 1, "margin": 2.0, "swap": True}),
    ("gaussian_nll_loss", (A, B, C[:, 0] ** 2), {"full": True, "epsilon": 0.5}),
    ("gaussian_nll_loss", (A, B, C[:, :1] ** 2), {"reduction": "sum"}),
    ("poisson_nll_loss", (A * A, B * B * 3), {"log_input": False, "full": True}),
    ("cosine_embedding_loss", (A, B, SIGNS), {"margin": 0.3}),
    ("npair_loss", (A.astype("f"), B.astype("f"), np.array([0, 1, 0])), {}),
    ("npair_loss", (A.astype("f"), B.astype("f"), np.array([0, 1, 0])), {"l2_reg": 0.1}),
    ("dice_loss", (np.abs(data(2, 3, 4)), np.array([[[0], [1], [3]], [[2], [2], [0]]])), {}),
    ("pairwise_distance", (A, B), {}),
    ("pairwise_distance", (A, B), {"p": 1, "keepdim": True}),
    ("pairwise_distance", (A, B), {"p": float("inf"), "epsilon": 0.0}),
]:
    cases.gradients(
        f"{name} {options}"[:60] + f" {len(cases)}", functional(name, **options), *arrays, tolerance=1e-5
    )
cases.gradients(
    "multi_margin_loss weight",
    lambda x, w: F.multi_margin_loss(x, frozen(CLASSES), weight=w.detach()),
    A, np.abs(B[0]),
)  # fmt: skip
for options in ({}, {"reduction": "mean"}, {"alpha": 0.5, "gamma": 1.0, "reduction": "none"}):
    cases.gradients(
        f"sigmoid_focal_loss {options}", lambda x, options=options: F.sigmoid_focal_loss(x, frozen(YES), **options), A,
        tolerance=1e-5,
    )  # fmt: skip
cases.gradients(
    "sigmoid_focal_loss normalizer",
    lambda x: F.sigmoid_focal_loss(x, frozen(YES), frozen(np.array([3.0])), reduction="none"), A, tolerance=1e-5,
)  # fmt: skip

SCORES = data(6, 3, 4).astype("float32")
LABELS = [np.array([[1, 2, 2], [3, 1, 0], [1, 1, 1]], "int32"), np.array([6, 4, 3]), np.array([3, 2, 3])]
for options in (
    {},
    {"reduction": "sum"},
    {"reduction": "none", "norm_by_times": True},
    {"reduction": "sum", "blank": 3},
):

    def ctc(x, options=options):
        labels = LABELS[0] % 3 if "blank" in options else LABELS[0]
        return F.ctc_loss(x, frozen(labels), *map(frozen, LABELS[1:]), **options)

    cases.gradients(f"ctc_loss {options}", ctc, SCORES, tolerance=1e-4)
cases.gradients(
    "log_loss", lambda x: F.log_loss(x, frozen(YES[:, :1].astype("f"))), np.abs(A[:, :1]).astype("f") / 2
)
cases.gradients(
    "hsigmoid_loss", lambda x, w, b: F.hsigmoid_loss(x, frozen(np.array([0, 3, 6])), 7, w, b),
    data(3, 4), data(6, 4, seed=2), data(6, 1, seed=3), tolerance=1e-6,
)  # fmt: skip
cases.gradients(
    "hsigmoid_loss path",
    lambda x, w: F.hsigmoid_loss(
        x, frozen(np.array([[0], [1]])), 4, w, None, frozen(np.array([[0, 2, -1], [1, -1, -1]])),
        frozen(np.array([[1, 0, -1], [0, -1, -1]])),
    ),
    data(2, 3), data(3, 3, seed=2), tolerance=1e-6,
)  # fmt: skip


@cases
def adaptive_log_softmax():
    layer = fill(nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 6], div_value=2.0, head_bias=True))
    for i, one in enumerate(one for both in layer.tail_weights for one in both):
        one.set_value(data(*one.shape, seed=20 + i).astype("float32"))
    x, labels = data(4, 8).astype("float32"), np.array([0, 4, 9, 2])
    return [
        differentiate(lambda x: layer(x, frozen(labels)), x), layer.log_prob(frozen(x)), repr(layer),
        [list(one.shape) for one in layer.parameters()],
    ]  # fmt: skip


@cases
def layers_are_the_functions():
    pairs = [
        (nn.SoftMarginLoss(), (A, YES * 2 - 1)), (nn.CosineEmbeddingLoss(0.2), (A, B, SIGNS)),
        (nn.MultiMarginLoss(reduction="sum"), (A, CLASSES)), (nn.MultiLabelMarginLoss("sum"), (A, MANY)),
        (nn.MultiLabelSoftMarginLoss(), (A, YES)), (nn.TripletMarginLoss(2.0), (A, B, C)),
        (nn.TripletMarginWithDistanceLoss(margin=0.5), (A, B, C)), (nn.GaussianNLLLoss(True), (A, B, C * C)),
        (nn.PoissonNLLLoss(False), (A * A, B * B)), (nn.PairwiseDistance(1.0), (A, B)),
        (nn.CTCLoss(reduction="sum"), (SCORES, *LABELS)),
    ]  # fmt: skip
    return [[repr(layer), layer(*map(frozen, arrays))] for layer, arrays in pairs]


@cases
def margin_errors():
    a, b, short = frozen(A), frozen(B), frozen(B[:, :3])
    calls = {
        "reduction": lambda: F.soft_margin_loss(a, b, "max"),
        "layer reduction": lambda: nn.SoftMarginLoss("max"),
        "shapes": lambda: F.soft_margin_loss(a, short),
        "triplet": lambda: F.triplet_margin_loss(a, b, short),
        "triplet margin": lambda: F.triplet_margin_loss(a, b, b, margin=-1),
        "cosine label": lambda: F.cosine_embedding_loss(a, b, a),
        "cosine shapes": lambda: F.cosine_embedding_loss(a, short, frozen(SIGNS)),
        "cosine margin": lambda: nn.CosineEmbeddingLoss(margin=2),
        "multi label": lambda: F.multi_label_margin_loss(a, frozen(MANY + 2)),
        "multi label rank": lambda: F.multi_label_margin_loss(a, frozen(CLASSES)),
        "multi margin": lambda: F.multi_margin_loss(a, frozen(np.array([1, 2]))),
        "soft multi label": lambda: F.multi_label_soft_margin_loss(a, short),
        "variance": lambda: F.gaussian_nll_loss(a, b, short),
        "negative": lambda: F.gaussian_nll_loss(a, b, frozen(C - 5)),
        "epsilon": lambda: F.poisson_nll_loss(a, b, epsilon=0),
        "classes": lambda: F.hsigmoid_loss(a, frozen(CLASSES), 1, b),
        "cutoffs": lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [6, 3]),
        "dice": lambda: F.dice_loss(a, frozen(CLASSES)),
        "normalizer": lambda: F.sigmoid_focal_loss(a, b, normalizer=a),
    }
    return {name: raises(call) for name, call in calls.items()}
