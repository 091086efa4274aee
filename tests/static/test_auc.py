"""static.auc, as Paddle 2.6 has it."""

import pytest

from minipaddle import paddle


def test_another_curve_is_told_to_be_roc(building):
    chances = paddle.static.data("chances", [2, 2])
    label = paddle.static.data("label", [2, 1], "int64")
    with pytest.warns(UserWarning, match="under the ROC curve"):
        paddle.static.auc(chances, label, curve="PR")
