"""Details of layers: lists that grow in the middle, buffers that are set, shared parts, shown dtypes, arguments."""

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, frozen

cases = Family("layer_details")
nn, F = paddle.nn, paddle.nn.functional


def kinds(layers):
    return [type(layer).__name__ for layer in layers]


def _one_hot_labels_are_smoothed():
    logits, labels = frozen(data(4, 3)), frozen(np.array([0, 2, 1, 1]))
    ones = frozen(np.eye(3)[[0, 2, 1, 1]])
    found = [labels, ones]
    return [F.cross_entropy(logits, label, label_smoothing=0.5) for label in found]


cases.add("one_hot_labels_are_smoothed", _one_hot_labels_are_smoothed, tolerance=ATTRIBUTE)
