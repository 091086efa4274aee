"""Loss functions and their arguments."""

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, differentiate, frozen, to_single

F = paddle.nn.functional
cases = Family("losses")

LABELS = np.array([0, 2, 1, 2])
IGNORED = np.array([0, -100, 1, 2])
CLASS_WEIGHT = np.array([0.5, 1.0, 2.0])
SOFT = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0.1, 0.8, 0.1], [0, 0.5, 0.5]])

CROSS_ENTROPY = cases.table("cross entropy", globals())
for text, (label, options) in CROSS_ENTROPY.items():

    def cross_entropy(x, label=label, options=options):
        extra = {key: frozen(v, dtype_of(x)) if key == "weight" else v for key, v in options.items()}
        return F.cross_entropy(x, frozen(label, dtype_of(x) if label.dtype.kind == "f" else None), **extra)

    tolerance = ATTRIBUTE if text == "smoothed" else None
    cases.gradients(f"cross_entropy {text}", cross_entropy, data(4, 3), tolerance=tolerance)
    cases.add(f"cross_entropy {text} float32", differentiate, cross_entropy, to_single(data(4, 3)))


def dtype_of(tensor):
    return tensor.dtype


def given_probabilities(x):
    return F.cross_entropy(x, frozen(LABELS), use_softmax=False)


cases.gradients("cross_entropy of probabilities", given_probabilities, data(4, 3, low=0.1, high=0.9))
cases.gradients(
    "cross_entropy axis 1",
    lambda x: F.cross_entropy(x, frozen(np.array([[0, 2], [1, 1]])), axis=1),
    data(2, 3, 2),
)
cases.gradients(
    "cross_entropy sequence", lambda x: F.cross_entropy(x, frozen(np.array([[0, 2], [1, 1]]))), data(2, 2, 3)
)
cases.gradients(
    "softmax_with_cross_entropy",
    lambda x: F.softmax_with_cross_entropy(x, frozen(LABELS[:, None])),
    data(4, 3),
)

PAIRED = {"mse_loss": (-1, 1), "l1_loss": (-1, 1), "smooth_l1_loss": (-3, 3)}
BINARY = {"binary_cross_entropy": (0.1, 0.9), "binary_cross_entropy_with_logits": (-2, 2)}
for reduction in ["mean", "sum", "none"]:
    for name, (low, high) in (PAIRED | BINARY).items():

        def loss(x, y, name=name, reduction=reduction):
            label = y.detach() if name in BINARY else y
            return getattr(F, name)(x, label, reduction=reduction)

        arrays = data(3, 2, low=low, high=high), data(3, 2, seed=2, low=0.1, high=0.9)
        cases.gradients(f"{name} {reduction}", loss, *arrays, single=reduction == "mean")

    def nll(x, reduction=reduction):
        return F.nll_loss(F.log_softmax(x), frozen(LABELS), reduction=reduction)

    def nll_weighted(x, reduction=reduction):
        return F.nll_loss(
            F.log_softmax(x), frozen(LABELS), frozen(CLASS_WEIGHT), ignore_index=1, reduction=reduction
        )

    def nll_of_columns(x, reduction=reduction):
        column = paddle.reshape(frozen(LABELS), [-1, 1])
        return F.nll_loss(F.log_softmax(x), column, frozen(CLASS_WEIGHT), reduction=reduction)

    cases.gradients(f"nll_loss {reduction}", nll, data(4, 3))
    cases.gradients(f"nll_loss of a column {reduction}", nll_of_columns, data(4, 3))
    cases.gradients(f"nll_loss weighted {reduction}", nll_weighted, data(4, 3))

cases.gradients(
    "smooth_l1_loss delta", lambda x, y: F.smooth_l1_loss(x, y, delta=0.5), data(5), data(5, seed=2)
)
cases.gradients(
    "binary_cross_entropy weight",
    lambda x, y: F.binary_cross_entropy(x, y.detach(), weight=frozen(np.array([1.0, 2.0]))),
    data(3, 2, low=0.1, high=0.9),
    data(3, 2, seed=2, low=0.1, high=0.9),
)
cases.gradients(
    "binary_cross_entropy_with_logits weights",
    lambda x, y: F.binary_cross_entropy_with_logits(
        x, y.detach(), weight=frozen(np.array([1.0, 2.0])), pos_weight=frozen(np.array([3.0, 0.5]))
    ),
    data(3, 2),
    np.array([[0.0, 1], [1, 0], [1, 1]]),
)
cases.gradients(
    "binary_cross_entropy_with_logits far out",
    lambda x: F.binary_cross_entropy_with_logits(x, paddle.ones_like(x)),
    np.array([-500.0, 0.1, 500]),
)

LAYERS = ["MSELoss", "L1Loss", "SmoothL1Loss", "BCELoss", "BCEWithLogitsLoss"]
