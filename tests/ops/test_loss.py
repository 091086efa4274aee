"""Losses between two tensors of one shape."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(3)
X, Y = RNG.uniform(0.1, 0.9, (2, 3, 4))
SCORES = RNG.uniform(-3, 3, (3, 4))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def entropy(p, y):
    return -(y * np.log(p) + (1 - y) * np.log(1 - p))


ELEMENTWISE = {
    "mse_loss": (X, Y, {}, (X - Y) ** 2),
    "l1_loss": (X, Y, {}, abs(X - Y)),
    "smooth_l1_loss": (
        SCORES,
        Y,
        {},
        np.where(abs(SCORES - Y) < 1, (SCORES - Y) ** 2 / 2, abs(SCORES - Y) - 0.5),
    ),
    "binary_cross_entropy": (X, Y, {}, entropy(X, Y)),
    "binary_cross_entropy_with_logits": (SCORES, Y, {}, entropy(sigmoid(SCORES), Y)),
    "kl_div": (np.log(X), Y, {}, Y * (np.log(Y) - np.log(X))),
}


def call(name, reduction, **options):
    x, y, _, _ = ELEMENTWISE[name]
    return getattr(F, name)(paddle.to_tensor(x), paddle.to_tensor(y), reduction=reduction, **options)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_formula_and_reductions(name):
    want = ELEMENTWISE[name][3]
    np.testing.assert_allclose(call(name, "none").numpy(), want)
    for reduction, reduced in {"mean": want.mean(), "sum": want.sum()}.items():
        loss = call(name, reduction)
        assert loss.shape == []
        assert float(loss) == pytest.approx(reduced)
    with pytest.raises(ValueError, match=r"'reduction'.*most"):
        call(name, "most")


def test_huber():
    huber = call("smooth_l1_loss", "none", delta=0.5).numpy()
    d = abs(SCORES - Y)
    np.testing.assert_allclose(huber, np.where(d < 0.5, d * d / 2, 0.5 * (d - 0.25)))


@pytest.mark.parametrize(
    "name", ["smooth_l1_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits"]
)
def test_a_label_of_another_shape_is_refused(name):
    with pytest.raises(ValueError, match="same shape"):
        getattr(F, name)(paddle.to_tensor(X), paddle.to_tensor(Y[:, :1]))


def test_probabilities_only():
    with pytest.raises(ValueError, match="Illegal input"):
        F.binary_cross_entropy(paddle.to_tensor([1.5]), paddle.to_tensor([1.0]))


def test_a_certain_mistake_costs_100_and_no_more():
    loss = F.binary_cross_entropy(
        paddle.to_tensor([0.0, 1.0]), paddle.to_tensor([1.0, 0.0]), reduction="none"
    )
    assert loss.tolist() == [100, 100]


def test_scores_far_out_neither_overflow_nor_vanish():
    x = paddle.to_tensor([-1e4, 1e4], stop_gradient=False)
    loss = F.binary_cross_entropy_with_logits(x, paddle.to_tensor([1.0, 1.0]), reduction="none")
    assert loss.tolist() == [1e4, 0]
    loss.sum().backward()
    assert x.grad.tolist() == [-1, 0]


def test_weights_of_binary_cross_entropy():
    weight, positive = (
        paddle.to_tensor(np.array([1.0, 2, 3, 4])),
        paddle.to_tensor(np.array([3.0, 1, 2, 0.5])),
    )
    loss = call("binary_cross_entropy_with_logits", "none", weight=weight, pos_weight=positive)
    p = sigmoid(SCORES)
    want = -(positive.numpy() * Y * np.log(p) + (1 - Y) * np.log(1 - p)) * weight.numpy()
    np.testing.assert_allclose(loss.numpy(), want)
    weighted = call("binary_cross_entropy", "sum", weight=weight)
    assert float(weighted) == pytest.approx((entropy(X, Y) * weight.numpy()).sum())


def test_divergence_forms():
    assert float(call("kl_div", "batchmean")) == pytest.approx((Y * np.log(Y / X)).sum() / 3)
    logs = F.kl_div(paddle.to_tensor(np.log(X)), paddle.to_tensor(np.log(Y)), log_target=True)
    assert float(logs) == pytest.approx((Y * np.log(Y / X)).mean())
    nothing = F.kl_div(paddle.to_tensor([-1.0]), paddle.to_tensor([0.0]), reduction="none")
    assert nothing.tolist() == [0]


def test_smaller_losses():
    x, y = paddle.to_tensor(X), paddle.to_tensor(Y)
    np.testing.assert_allclose(F.square_error_cost(x, y).numpy(), (X - Y) ** 2)
    first = F.log_loss(x[:, :1], y[:, :1])
    np.testing.assert_allclose(first.numpy(), entropy(X, Y)[:, :1], rtol=2e-3)
    sign = paddle.to_tensor(np.where(X > Y, -1.0, 1.0))
    assert float(F.margin_ranking_loss(x, y, sign, margin=0.1)) == pytest.approx((abs(X - Y) + 0.1).mean())


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_a_pair_at_the_margin_gets_no_gradient(margin):
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    y = paddle.to_tensor([1.0 + margin, 1.0, 5.0])
    F.margin_ranking_loss(y, x, paddle.ones([3]), margin, "sum").backward()
    assert x.grad.tolist() == [0, 1, 0]  # as of relu at 0
