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
                for function in (paddle.floor_divide, paddle.remainder, paddle.mod, paddle.floor_mod)
            ],
            number,
            dtype,
        )


@cases
def running_in_place_without_an_axis():
    x, y = frozen(MATRIX) * 1, frozen([[1, 2], [3, 4]]) * 1
    return x.cumsum_(), y.cumprod_(), x, y


@cases
def medians_of_nothing():
    x = paddle.zeros([0, 3])
    return [paddle.median(x), paddle.median(x, 0), paddle.nanmedian(x), paddle.nanmedian(x, 0, keepdim=True)]


@cases
def types_of_results():
    half, whole = frozen(MATRIX).astype("float16"), frozen([[1, 2], [3, 4]]).astype("int32")
    zero = paddle.to_tensor(1.5)
    found = [
        paddle.median(half),
        paddle.ldexp(half, half),
        paddle.reduce_as(whole, whole[0]),
        paddle.ldexp(zero, zero),
    ]
    return [(str(one.dtype), one.shape) for one in found]


@cases
def every_label_ignored():
    x, label = leaf(data(1, 4)), paddle.to_tensor([1])
    loss = F.nll_loss(x, label, ignore_index=1)
    loss.backward()
    return loss, x.grad


@cases
def what_a_tensor_says_of_its_memory():
    x = frozen(MATRIX).astype("float32")
    said = [x.get_device(), x.dense_dim(), x.sparse_dim()]
    types = [x.int8(), x.int64(), x.float16(), x.complex64()]
    return said, [str(one.dtype) for one in types], raises(x.cuda), complex(paddle.to_tensor(2 + 3j))


@cases
def memory_of_another():
    x = paddle.arange(6.0)
    y = paddle.zeros([2]).set_(x, [2, 2], [2, 1], 4)
    shown = y.clone()
    y.fill_(7.0)
    return shown, x, paddle.zeros([2]).set_().shape, paddle.arange(4.0).resize_([2, 3], fill_zero=True)


@cases
def softmax_of_another_library():
    found = [frozen(data(*shape)).softmax() for shape in ((3,), (2, 3), (2, 1, 3), (2, 1, 2, 2))]
    return found, paddle.softmax(frozen(MATRIX), 0, "float32")


@cases
def memory_that_is_shared_and_its_sum():
    x = paddle.arange(6.0)
    shared = [x._is_shared_buffer_with(other) for other in (x, x.reshape([2, 3]), x.clone())]
    return shared, x._md5sum(), paddle.to_tensor([1, 2, 3])._md5sum()


@cases
def texts_of_tensors_without_elements():
    return [
        repr(paddle.zeros(shape)) for shape in ([0], [2, 0], [0, 2], [2, 3, 0], [2, 0, 1, 2], [1, 2, 0, 3])
    ]
