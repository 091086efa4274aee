"""The focal loss and CTC."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen

F, nn = paddle.nn.functional, paddle.nn
cases = Family("likelihoods")

A, B, C = data(3, 4), data(3, 4, seed=2), data(3, 4, seed=3)
SIGNS, CLASSES = np.array([1, -1, 1]), np.array([2, 0, 3])
MANY = np.array([[2, 0, -1, 1], [-1, 1, 1, 1], [3, 2, 1, 0]])
YES = np.array([[0.0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]])

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
