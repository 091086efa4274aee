"""Metrics against counts by hand and results of Paddle 3.3.1."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import metric as M

SCORES = paddle.to_tensor([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]])


def test_accuracy_counts_over_batches():
    accuracy = M.Accuracy()
    assert accuracy.accumulate() == 0.0
    assert accuracy.update(accuracy.compute(SCORES, paddle.to_tensor([[1], [0]]))) == 0.5
    assert accuracy.update(accuracy.compute(SCORES, paddle.to_tensor([[2], [0]]))) == 1.0
    assert accuracy.accumulate() == 0.75
    assert accuracy.name() == ["acc"]
    accuracy.reset()
    assert accuracy.accumulate() == 0.0


@pytest.mark.parametrize("labels", [[1, 0], [[1], [0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
def test_labels_may_be_numbers_columns_or_one_hot(labels):
    correct = M.Accuracy().compute(SCORES, paddle.to_tensor(labels))
    assert correct.tolist() == [[0.0], [1.0]]


def test_several_k():
    accuracy = M.Accuracy(topk=(1, 2), name="hit")
    correct = accuracy.compute(SCORES, paddle.to_tensor([[1], [0]]))
    assert correct.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert accuracy.update(correct) == [0.5, 1.0]
    assert accuracy.accumulate() == [0.5, 1.0]
    assert accuracy.name() == ["hit_top1", "hit_top2"]


def test_the_function():
    labels = paddle.to_tensor([[1], [0]])
    assert M.accuracy(SCORES, labels).item() == 0.5
    assert M.accuracy(SCORES, labels, k=2).item() == 1.0
    assert M.accuracy(SCORES, labels).shape == []


@pytest.mark.parametrize(("labels", "area"), [([0, 1, 1, 1], 1.0), ([0, 1, 0, 1], 0.5), ([0, 0, 0, 0], 0.0)])
def test_auc(labels, area):
    auc = M.Auc()
    auc.update(np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.6, 0.4]]), np.array(labels)[:, None])
    assert auc.accumulate() == pytest.approx(area)


def test_a_metric_of_ones_own_must_be_complete():
    empty = M.Metric()
    for method in (empty.reset, empty.update, empty.accumulate, empty.name):
        with pytest.raises(NotImplementedError, match=method.__name__):
            method()
    assert empty.compute(1, 2) == (1, 2)
    with pytest.raises(ValueError, match="'ROC' or 'PR'"):
        M.Auc(curve="AP")


@pytest.mark.parametrize(
    ("labels", "area"), [([0, 1, 1, 1], 1.0), ([1, 0, 0, 0], 0.125), ([0, 0, 0, 0], 0.0)]
)
def test_auc_of_precision_over_recall(labels, area):
    auc = M.Auc(curve="PR")
    auc.update(np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.6, 0.4]]), np.array(labels)[:, None])
    assert auc.accumulate() == pytest.approx(area)


def test_auc_of_precision_over_recall_by_hand():
    auc = M.Auc(curve="PR")  # the surest first: right, wrong, right, wrong
    auc.update(np.array([[0.2, 0.8], [0.4, 0.6], [0.6, 0.4], [0.8, 0.2]]), np.array([1, 0, 1, 0]))
    assert auc.accumulate() == pytest.approx(0.5 * 1.0 + 0.5 * (1 / 2 + 2 / 3) / 2)
