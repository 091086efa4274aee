"""cross_entropy with all its arguments, and nll_loss, against logarithms of softmax written out."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(4)
SCORES = RNG.uniform(-2, 2, (5, 3))
LABELS = np.array([0, 2, 1, 2, 0])
IGNORED = np.array([0, -100, 1, 2, -100])
WEIGHT = np.array([0.5, 1.0, 2.0])
SOFT = RNG.dirichlet([1.0, 1.0, 1.0], 5)


def log_softmax(x, axis=-1):
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


EACH = -log_softmax(SCORES)[np.arange(5), LABELS]


def ce(label, scores=SCORES, **options):
    return F.cross_entropy(paddle.to_tensor(scores), paddle.to_tensor(label), **options).numpy()


def test_reductions_and_the_shape_of_none():
    assert ce(LABELS) == pytest.approx(EACH.mean())
    assert ce(LABELS, reduction="sum") == pytest.approx(EACH.sum())
    np.testing.assert_allclose(ce(LABELS, reduction="none"), EACH)
    np.testing.assert_allclose(ce(LABELS[:, None], reduction="none"), EACH[:, None])
    assert ce(LABELS.astype("int32")) == pytest.approx(EACH.mean())


def test_large_scores_do_not_overflow():
    assert ce([0], np.array([[1e4, 0.0]])) == 0
    assert ce([1], np.array([[1e4, 0.0]])) == 1e4


def test_ignored_labels_give_zero_and_a_negative_one_still_counts_in_the_mean():
    kept = IGNORED >= 0
    want = np.where(kept, -log_softmax(SCORES)[np.arange(5), IGNORED % 3], 0)
    np.testing.assert_allclose(ce(IGNORED, reduction="none"), want)
    assert ce(IGNORED) == pytest.approx(want.sum() / 5)


def test_a_class_that_is_ignored_does_not_count_in_the_mean():
    assert ce(LABELS, ignore_index=2) == pytest.approx(EACH[LABELS != 2].mean())
    assert ce(np.array([2, 2, 2, 2, 2]), ignore_index=2) == 0


def test_ignored_rows_get_no_gradient():
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    F.cross_entropy(x, paddle.to_tensor(IGNORED)).backward()
    assert (x.grad.numpy().any(1) == (IGNORED >= 0)).all()


def test_the_mean_with_class_weights_divides_by_the_weights():
    used = WEIGHT[LABELS]
    weight = paddle.to_tensor(WEIGHT)
    np.testing.assert_allclose(ce(LABELS, weight=weight, reduction="none"), EACH * used)
    assert ce(LABELS, weight=weight) == pytest.approx((EACH * used).sum() / used.sum())
    used = np.where(LABELS == 2, 0, used)
    assert ce(LABELS, weight=weight, ignore_index=2) == pytest.approx((EACH * used).sum() / used.sum())


def test_soft_labels():
    each = -(SOFT * log_softmax(SCORES)).sum(1, keepdims=True)
    np.testing.assert_allclose(ce(SOFT, soft_label=True, reduction="none"), each)
    assert ce(SOFT, soft_label=True) == pytest.approx(each.mean())
    used = (SOFT * WEIGHT).sum(1, keepdims=True)
    weighted = ce(SOFT, soft_label=True, weight=paddle.to_tensor(WEIGHT))
    assert weighted == pytest.approx((each * used).sum() / used.sum())


def test_the_gradient_of_soft_labels_is_softmax_minus_label():
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    F.cross_entropy(x, paddle.to_tensor(SOFT), soft_label=True, reduction="sum").backward()
    np.testing.assert_allclose(x.grad.numpy(), np.exp(log_softmax(SCORES)) - SOFT)


def test_smoothed_labels():
    smooth = np.eye(3)[LABELS] * 0.9 + 0.1 / 3
    assert ce(LABELS, label_smoothing=0.1) == pytest.approx(-(smooth * log_softmax(SCORES)).sum(1).mean())


def test_probabilities_instead_of_scores():
    chances = np.exp(log_softmax(SCORES))
    assert ce(LABELS, chances, use_softmax=False) == pytest.approx(EACH.mean())
    soft = ce(SOFT, chances, use_softmax=False, soft_label=True)
    assert soft == pytest.approx(-(SOFT * log_softmax(SCORES)).sum(1).mean())


def test_classes_on_another_axis():
    images, labels = RNG.uniform(-1, 1, (2, 3, 2, 2)), RNG.integers(0, 3, (2, 2, 2))
    want = -np.take_along_axis(log_softmax(images, 1), labels[:, None], 1)[:, 0]
    np.testing.assert_allclose(ce(labels, images, axis=1, reduction="none"), want)
    weight = paddle.to_tensor(WEIGHT)
    got = ce(labels, images, axis=1, weight=weight)
    assert got == pytest.approx((want * WEIGHT[labels]).sum() / WEIGHT[labels].sum())
    assert ce(labels, np.exp(log_softmax(images, 1)), axis=1, use_softmax=False) == pytest.approx(want.mean())


def test_one_row_without_a_batch():
    assert ce(np.array(1), SCORES[2]) == pytest.approx(EACH[2])


def test_second_gradient_is_that_of_the_softmax():
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    (dx,) = paddle.grad(F.cross_entropy(x, paddle.to_tensor(LABELS), reduction="sum"), [x], create_graph=True)
    (ddx,) = paddle.grad((dx * dx).sum(), [x])
    s = np.exp(log_softmax(SCORES))
    v = 2 * (s - np.eye(3)[LABELS])
    np.testing.assert_allclose(ddx.numpy(), s * (v - (v * s).sum(1, keepdims=True)))


def test_the_softmax_that_comes_along_can_be_differentiated():
    x = paddle.to_tensor(SCORES, stop_gradient=False)
    loss, softmax = F.softmax_with_cross_entropy(x, paddle.to_tensor(LABELS[:, None]), return_softmax=True)
    assert loss.shape == [5, 1]
    s = np.exp(log_softmax(SCORES))
    np.testing.assert_allclose(softmax.numpy(), s)
    (loss.sum() + softmax[:, 0].sum()).backward()
    want = s - np.eye(3)[LABELS] + s[:, :1] * (np.eye(3)[0] - s)
    np.testing.assert_allclose(x.grad.numpy(), want)


def test_labels_are_not_changed():
    labels = paddle.to_tensor(IGNORED)
    F.cross_entropy(paddle.to_tensor(SCORES), labels)
    assert labels.tolist() == IGNORED.tolist()


@pytest.mark.parametrize("wrong", [3, -1])
def test_a_label_out_of_range(wrong):
    with pytest.raises(IndexError, match=f"label value as {wrong}"):
        ce(np.array([0, wrong, 1, 2, 0]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label": LABELS[:2]}, "same shape in dimensions except axis"),
        ({"label": np.zeros((5, 1, 1), int)}, "input_dims - 1 = label_dims"),
        ({"label": SOFT[:, :2], "soft_label": True}, "soft_label"),
        ({"label": LABELS, "reduction": "most"}, "reduction"),
        ({"label": LABELS, "weight": paddle.ones([2])}, "class_dimension"),
        ({"label": LABELS, "scores": np.array(1.0)}, "larger than zero"),
    ],
)
def test_misuse_is_explained(options, words):
    with pytest.raises(ValueError, match=words):
        ce(**options)


def nll(label=LABELS, **options):
    logs = paddle.to_tensor(log_softmax(SCORES))
    return F.nll_loss(logs, paddle.to_tensor(label), **options).numpy()


def test_nll_loss_is_the_second_half_of_cross_entropy():
    assert nll() == pytest.approx(EACH.mean())
    np.testing.assert_allclose(nll(reduction="none"), EACH)
    weight, used = paddle.to_tensor(WEIGHT), np.where(LABELS == 1, 0, WEIGHT[LABELS])
    assert nll(weight=weight, ignore_index=1) == pytest.approx((EACH * used).sum() / used.sum())
    assert nll(weight=weight, ignore_index=1, reduction="sum") == pytest.approx((EACH * used).sum())


def test_nll_loss_of_images():
    logs, labels = log_softmax(RNG.uniform(-1, 1, (2, 3, 2, 2)), 1), RNG.integers(0, 3, (2, 2, 2))
    loss = F.nll_loss(paddle.to_tensor(logs), paddle.to_tensor(labels), reduction="none")
    np.testing.assert_allclose(loss.numpy(), -np.take_along_axis(logs, labels[:, None], 1)[:, 0])


def test_nll_loss_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="out of bounds"):
        nll(np.array([0, 3, 0, 0, 0]))
    with pytest.raises(ValueError, match="batch_size"):
        nll(LABELS[:3])
