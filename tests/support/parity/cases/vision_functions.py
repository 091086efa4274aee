"""Sampling along grids, rearranged pixels, windows as columns, borders, and layers that few scripts need."""

import paddle

from tests.support.parity.kit import Family, data, functional

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
