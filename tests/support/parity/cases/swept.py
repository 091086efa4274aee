"""What a sweep over all functions found."""

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("swept")
MATRIX, ROW = data(2, 3), data(3)

for number in (2, 2.5, True):
    for dtype in ("float32", "int64"):
        cases.add(
            f"{dtype} divided down by {number}",
            lambda number, dtype: [
                function(frozen([1, 3, 5]).astype(dtype), number)
                for function in (paddle.floor_divide, paddle.remainder, paddle.mod)
            ],
            number,
            dtype,
        )


def medians_of_nothing():
    x = paddle.zeros([0, 3])
    return [paddle.median(x), paddle.median(x, 0)]


def types_of_results():
    found = paddle.median(frozen(MATRIX).astype("float16"))
    return [(str(found.dtype), found.shape)]


def every_label_ignored():
    x, label = leaf(data(1, 4)), paddle.to_tensor([1])
    loss = F.nll_loss(x, label, ignore_index=1)
    loss.backward()
    return loss, x.grad


def a_tensor_stays_on_the_cpu():
    x = frozen(MATRIX).astype("float32")
    return raises(x.cuda), complex(paddle.to_tensor(2 + 3j))


def texts_of_tensors_without_elements():
    return [
        repr(paddle.zeros(shape)) for shape in ([0], [2, 0], [0, 2], [2, 3, 0], [2, 0, 1, 2], [1, 2, 0, 3])
    ]
