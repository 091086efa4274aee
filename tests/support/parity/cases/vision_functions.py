"""Sampling along grids, rearranged pixels, windows as columns, borders, and layers that few scripts need."""

import paddle

from tests.support.parity.kit import Family, data, frozen, functional, raises

F, nn = paddle.nn.functional, paddle.nn
cases = Family("vision_functions")

IMAGE, GRID = data(1, 2, 3, 4), data(1, 2, 3, 2, seed=2)
for padding in ("zeros", "border", "reflection"):
    for corners in (True, False):
        for mode in ("bilinear", "nearest"):
            options = {"mode": mode, "padding_mode": padding, "align_corners": corners}
            cases.gradients(
                f"grid_sample {mode} {padding} {corners}", functional("grid_sample", **options), IMAGE, GRID
            )
cases.gradients(
    "grid_sample volume", functional("grid_sample"), data(1, 1, 2, 3, 2), data(1, 2, 1, 2, 3, seed=3)
)
for corners in (True, False):
    options = {"align_corners": corners}
    cases.gradients(
        f"affine_grid {corners}", functional("affine_grid", out_shape=[2, 1, 2, 3], **options), data(2, 2, 3)
    )
    cases.gradients(
        f"affine_grid 3D {corners}",
        functional("affine_grid", out_shape=[1, 1, 2, 2, 3], **options),
        data(1, 3, 4),
    )

for name, shape, options in [
    ("pixel_shuffle", (1, 8, 2, 1), {"upscale_factor": 2}),
    ("pixel_shuffle", (1, 2, 1, 4), {"upscale_factor": 2, "data_format": "NHWC"}),
    ("pixel_unshuffle", (1, 2, 4, 2), {"downscale_factor": 2}),
    ("temporal_shift", (4, 4, 1, 2), {"seg_num": 2}),
    ("temporal_shift", (4, 5, 1, 2), {"seg_num": 4, "shift_ratio": 0.4}),
    ("unfold", (1, 2, 4, 3), {"kernel_sizes": 2}),
    (
        "unfold",
        (1, 1, 4, 5),
        {"kernel_sizes": [2, 3], "strides": [2, 1], "paddings": [1, 0, 0, 2], "dilations": [1, 2]},
    ),
    ("fold", (1, 8, 6), {"output_sizes": [4, 3], "kernel_sizes": 2}),
    ("fold", (1, 4, 9), {"output_sizes": 4, "kernel_sizes": 2, "strides": 2, "paddings": 1}),
    ("interpolate", (1, 1, 2, 2), {"scale_factor": 2.0, "mode": "BILINEAR"}),
]:
    cases.gradients(f"{name} {len(cases)}", functional(name, **options), data(*shape), tolerance=1e-5)


def vision_errors():
    x = frozen(IMAGE)
    calls = {
        "shuffle": lambda: F.pixel_shuffle(x, 2),
        "shuffle type": lambda: F.pixel_shuffle(x, 2.0),
        "unshuffle": lambda: F.pixel_unshuffle(x, 5),
        "unshuffle 0": lambda: F.pixel_unshuffle(x, 0),
        "format": lambda: F.pixel_unshuffle(x, 1, "NCL"),
        "grid mode": lambda: F.grid_sample(x, frozen(GRID), mode="bicubic"),
        "padding mode": lambda: F.grid_sample(x, frozen(GRID), padding_mode="mirror"),
        "grid": lambda: F.grid_sample(x, frozen(data(2, 2, 3, 2))),
        "theta": lambda: F.affine_grid([1.0], [1, 1, 2, 2]),
        "unfold rank": lambda: F.unfold(x[0], 2),
        "unfold size": lambda: F.unfold(x, 9),
        "fold": lambda: F.fold(x, 2, 2),
    }
    return {name: raises(call) for name, call in calls.items()}


def border_layers():
    layer = nn.Pad3D([1, 0, 2, 1, 0, 1], mode="replicate")
    return [[repr(layer), layer(frozen(data(1, 1, 2, 3, 3)))]]


def small_layers():
    x = frozen(data(1, 4, 2, 2).astype("float32"))
    layers = [
        nn.PixelShuffle(2), nn.PixelUnshuffle(2),
        nn.Unfold(2), nn.Identity(), nn.Upsample(scale_factor=2),
    ]  # fmt: skip
    return [[repr(layer), layer(x)] for layer in layers]
