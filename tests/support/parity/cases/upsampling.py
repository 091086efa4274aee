"""Interpolation in every mode, adaptive pooling, volumes and transposed convolutions."""

import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, functional

F, nn = paddle.nn.functional, paddle.nn
cases = Family("upsampling")

SHAPES = cases.table("shapes", globals())
SIZES = {3: [[7], [3]], 4: [[7, 9], [2, 3], [1, 5]], 5: [[5, 6, 3], [2, 2, 3]]}
for mode, shape in [
    *SHAPES.items(),
    ("nearest", (1, 2, 4, 5)),
    ("nearest", (1, 1, 3, 4, 2)),
    ("area", (1, 2, 4, 5)),
]:
    for size in SIZES[len(shape)]:
        for corners in (False,) if mode in ("nearest", "area") else (False, True):
            options = {"size": size, "mode": mode, "align_corners": corners}
            cases.gradients(
                f"{mode} {len(shape)}-D {size} {corners}", functional("interpolate", **options), data(*shape),
                single=size == SIZES[len(shape)][0], tolerance=1e-5,
            )  # fmt: skip
for mode in ("linear", "bilinear", "trilinear"):
    options = {"size": SIZES[len(SHAPES[mode])][0], "mode": mode, "align_mode": 1}
    cases.gradients(
        f"{mode} align_mode 1", functional("interpolate", **options), data(*SHAPES[mode]), tolerance=1e-5
    )
for scale in (2, 1.7, 0.6, [2, 0.5]):
    for mode in ("nearest", "bilinear", "bicubic"):
        cases.gradients(
            f"{mode} scale {scale}", functional("interpolate", scale_factor=scale, mode=mode), data(1, 1, 4, 5),
            tolerance=1e-5,
        )  # fmt: skip
        cases.gradients(
            f"{mode} scale {scale} recomputed",
            functional("interpolate", scale_factor=scale, mode=mode, recompute_scale_factor=True),
            data(1, 1, 4, 5), tolerance=1e-5,
        )  # fmt: skip
cases.gradients(
    "channels last", lambda x: F.interpolate(x, [3, 2], mode="bilinear", data_format="NHWC"), data(1, 5, 4, 2),
    tolerance=1e-5,
)  # fmt: skip


for axes, shape in ((1, (1, 2, 7)), (2, (1, 2, 5, 4)), (3, (1, 1, 3, 5, 4))):
    for kind in ("max", "avg")[axes == 1 :]:
        for size in (2, 3):
            name = f"adaptive_{kind}_pool{axes}d"
            cases.gradients(
                f"{name} {size}", functional(name, output_size=size), data(*shape), tolerance=ATTRIBUTE
            )
    if axes > 1:
        masked = functional(f"adaptive_max_pool{axes}d", output_size=3, return_mask=True)
        cases.gradients(f"adaptive_max_pool{axes}d mask", masked, data(*shape))


cases.gradients(
    "adaptive_avg_pool3d None", lambda x: F.adaptive_avg_pool3d(x, [2, None, 3]), data(1, 1, 3, 5, 4)
)

POOLS = cases.table("pools", globals())
for text, options in POOLS.items():
    for kind in ("max", "avg"):
        name = f"{kind}_pool3d"
        cases.gradients(
            f"{name} {text}", functional(name, **options), data(1, 2, 4, 5, 4), tolerance=ATTRIBUTE
        )
for options in ({"exclusive": False, "padding": 1}, {"divisor_override": 5}):
    cases.gradients(
        f"avg_pool3d {options}", functional("avg_pool3d", kernel_size=2, **options), data(1, 1, 4, 4, 3),
        tolerance=ATTRIBUTE,
    )  # fmt: skip
for options in ({"stride": 1}, {"padding": 1, "ceil_mode": True}, {"padding": "SAME"}, {"padding": [1, 0]}):
    for kind in ("max", "avg"):
        name = f"{kind}_pool1d"
        cases.gradients(
            f"{name} {options}",
            functional(name, kernel_size=3, **options),
            data(1, 2, 7),
            tolerance=ATTRIBUTE,
        )

CONVS = cases.table("convs", globals())
for text, (x_shape, w_shape, options) in CONVS.items():
    call = functional(text.partition(" ")[0], **options)
    cases.gradients(text, call, data(*x_shape), data(*w_shape, seed=2), single=text == "conv3d")
