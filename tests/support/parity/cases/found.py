"""What random programs found: refusals that we did not make, and in another order."""

import paddle
import paddle.nn.functional as F

from tests.support.parity.kit import Family, data, frozen, leaf, raises

cases = Family("found")

ALONG = {
    "argmax": paddle.argmax,
    "argmin": paddle.argmin,
    "squeeze": paddle.squeeze,
    "cumsum": paddle.cumsum,
    "sort": paddle.sort,
    "argsort": paddle.argsort,
    "softmax": F.softmax,
    "log_softmax": F.log_softmax,
    "topk": lambda x, axis: paddle.topk(x, 1, axis)[0],
}
for text, function in ALONG.items():
    cases.add(
        f"axes of a 0-D tensor {text}",
        lambda function: [
            *(function(frozen(2.0), axis) for axis in (0, -1)),
            *(raises(lambda axis=axis: function(frozen(2.0), axis)) for axis in (1, 9, -2)),
        ],
        function,
    )


def inplace_shapes_come_before_types():
    x, wide = frozen(data(3), "float32"), frozen(data(2, 3)).astype("int64")
    names = ["add_", "subtract_", "multiply_", "divide_", "remainder_", "floor_divide_"]
    calls = {name: lambda name=name: getattr(x, name)(wide) for name in names}
    return {name: raises(call, "shape of broadcast output") for name, call in calls.items()} | {"after": x}


def inplace_shapes_come_before_zeros():
    x, zeros = frozen([1, 2]), paddle.zeros([2, 2], "int64")
    return raises(lambda: x.remainder_(zeros), "shape of broadcast output"), x, x.inplace_version


def lerp_of_two_types():
    x, y = frozen(data(3), "float32"), paddle.ones([3], "int64")
    return raises(lambda: paddle.lerp(x, y, 0.3)), raises(lambda: x.lerp_(y, 0.3)), x


def copying():
    x = frozen(data(3), "float32")
    return raises(lambda: x.copy_(frozen(data(3), "float64"))), x.copy_(paddle.ones([3])), x


def inner_with_one_element():
    one, rows, row = frozen(data(1)), frozen(data(2, 3)), frozen(data(3))
    return [paddle.inner(one, row), paddle.inner(rows, one), paddle.inner(one, one), paddle.inner(rows, row)]


def near_needs_equal_shapes():
    x = frozen(data(2, 3))
    others = [frozen(data(3)), frozen(data(1, 3)), frozen(data(2, 2))]
    calls = [lambda y=y, near=near: near(x, y) for y in others for near in (paddle.isclose, paddle.allclose)]
    return [raises(call) for call in calls], paddle.isclose(x, x), paddle.allclose(x, x)


def nothing_left_to_split():
    x = frozen(data(2, 3))
    return [raises(lambda sizes=sizes: paddle.split(x, sizes)) for sizes in ([2, -1], [-1, 2], [3, -1])]


def where_of_numbers():
    x = frozen(data(2), "float32")
    return [
        raises(lambda: paddle.where(x, x, x), "boolean"),
        raises(lambda: paddle.where(paddle.ones([2]), 1, 2)),
    ]


def sequences_to_pool():
    images, row = paddle.ones([1, 1, 1, 3]), paddle.ones([1, 3])
    pools = [
        lambda x: F.avg_pool1d(x, 2, 1),
        lambda x: F.max_pool1d(x, 2, 1),
        lambda x: F.adaptive_avg_pool1d(x, 1),
    ]
    return [raises(lambda x=x, pool=pool: pool(x)) for pool in pools for x in (images, row)]


def shapes_that_do_not_divide():
    return raises(lambda: paddle.reshape(frozen(data(2, 3)), [4, -1]), "divisible")


def a_trainable_leaf_is_incremented():
    x = leaf([0.5])
    y = paddle.increment(x, 2.0)
    (y * y).backward()
    return y, x.grad, x.is_leaf


def scale_with_an_activation():
    x = frozen([[1.0, -2.0]])
    return [
        paddle.scale(x, 2.0, 1.0, act="relu"),
        paddle.scale(x, 2.0, act="tanh"),
        raises(lambda: paddle.scale(x, 2.0, act="nothing"), "nothing"),
        paddle.scale(x, scale=frozen([0.5])),
    ]


def numbers_that_are_tensors():
    image, size, p = frozen(data(1, 1, 4, 4)), paddle.to_tensor([2, 1]), paddle.to_tensor(0.0)
    return (
        F.adaptive_avg_pool2d(image, size),
        F.dropout(image, p),
        paddle.full_like(image, paddle.to_tensor(2.5)),
    )
