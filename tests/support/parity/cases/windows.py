"""Convolution, pooling, padding: strides, paddings, groups."""

import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, functional

F = paddle.nn.functional
cases = Family("windows")

CONV = cases.table("conv", globals())
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

POOLS = cases.table("pools", globals())
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


PADS = cases.table("pads", globals())
for text, (shape, options) in PADS.items():
    cases.gradients(
        f"pad {text}", lambda x, options=options: F.pad(x, **options), data(*shape), single=text == "value"
    )
