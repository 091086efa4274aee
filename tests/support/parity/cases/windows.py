"""Convolution, pooling, padding: strides, paddings, groups."""

import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, functional

F = paddle.nn.functional
cases = Family("windows")

CONV = {  # input, weight, options
    "plain": ((1, 2, 4, 4), (3, 2, 3, 3), {}),
    "batch": ((2, 2, 3, 3), (2, 2, 2, 2), {}),
    "stride": ((1, 1, 5, 5), (2, 1, 3, 3), {"stride": 2}),
    "stride pair": ((1, 1, 5, 4), (1, 1, 2, 2), {"stride": [2, 1]}),
    "padding": ((1, 1, 3, 3), (1, 1, 3, 3), {"padding": 1}),
    "padding pair": ((1, 1, 3, 3), (1, 1, 3, 3), {"padding": [1, 0]}),
    "padding four": ((1, 1, 3, 3), (1, 1, 2, 2), {"padding": [1, 0, 0, 2]}),
    "padding SAME": ((1, 1, 4, 4), (1, 1, 3, 3), {"padding": "SAME"}),
    "padding SAME stride": ((1, 1, 5, 4), (1, 1, 3, 3), {"padding": "SAME", "stride": 2}),
    "padding VALID": ((1, 1, 4, 4), (1, 1, 3, 3), {"padding": "VALID"}),
    "dilation": ((1, 1, 5, 5), (1, 1, 2, 2), {"dilation": 2}),
    "dilation pair": ((1, 1, 4, 5), (1, 1, 2, 2), {"dilation": [1, 2], "padding": 1}),
    "groups": ((1, 4, 3, 3), (4, 2, 2, 2), {"groups": 2}),
    "depthwise": ((1, 2, 3, 3), (2, 1, 2, 2), {"groups": 2}),
    "1 x 1": ((1, 3, 2, 2), (2, 3, 1, 1), {}),
    "stride leaves a rest": ((1, 1, 4, 4), (1, 1, 3, 3), {"stride": 2}),
}
for text, (x_shape, w_shape, options) in CONV.items():

    def conv(x, w, options=options):
        return F.conv2d(x, w, **options)

    cases.gradients(f"conv2d {text}", conv, data(*x_shape), data(*w_shape, seed=2), single=text == "plain")
cases.gradients(
    "conv2d bias",
    functional("conv2d"),
    data(1, 2, 3, 3),
    data(2, 2, 2, 2, seed=2),
    data(2, seed=3),
    single=True,
)

POOLS = {
    "plain": ((1, 2, 4, 4), {"kernel_size": 2}),
    "stride": ((1, 1, 5, 5), {"kernel_size": 3, "stride": 1}),
    "pairs": ((1, 1, 4, 5), {"kernel_size": [2, 3], "stride": [2, 1]}),
    "padding": ((1, 1, 4, 4), {"kernel_size": 3, "stride": 2, "padding": 1}),
    "rest dropped": ((1, 1, 5, 5), {"kernel_size": 2}),
    "ceil_mode": ((1, 1, 5, 5), {"kernel_size": 2, "ceil_mode": True}),
}
for text, (shape, options) in POOLS.items():
    for name in ["max_pool2d", "avg_pool2d"]:

        def pool(x, name=name, options=options):
            return getattr(F, name)(x, **options)

        cases.gradients(f"{name} {text}", pool, data(*shape), single=text == "plain", tolerance=ATTRIBUTE)
cases.gradients(
    "avg_pool2d inclusive",
    lambda x: F.avg_pool2d(x, 3, stride=2, padding=1, exclusive=False),
    data(1, 1, 4, 4),
    tolerance=ATTRIBUTE,
)
for size in [1, 2, (1, 3), [3, 2]]:
    cases.gradients(
        f"adaptive_avg_pool2d {size}",
        lambda x, size=size: F.adaptive_avg_pool2d(x, size),
        data(1, 2, 4, 5),
        tolerance=ATTRIBUTE,
    )


PADS = {
    "last two axes": ((1, 1, 2, 3), {"pad": [1, 2, 0, 1]}),
    "value": ((1, 1, 2, 3), {"pad": [1, 0, 0, 0], "value": 5.0}),
    "every axis": ((2, 2), {"pad": [0, 1, 2, 0]}),
    "3-D": ((1, 2, 3), {"pad": [2, 1], "data_format": "NCL"}),
    "reflect": ((1, 1, 3, 3), {"pad": [1, 2, 2, 1], "mode": "reflect"}),
    "replicate": ((1, 1, 3, 3), {"pad": [1, 2, 2, 1], "mode": "replicate"}),
    "circular": ((1, 1, 3, 3), {"pad": [1, 2, 2, 1], "mode": "circular"}),
}
for text, (shape, options) in PADS.items():
    cases.gradients(
        f"pad {text}", lambda x, options=options: F.pad(x, **options), data(*shape), single=text == "value"
    )
