"""Sampling along grids, rearranged pixels, windows as columns, borders, and layers that few scripts need."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, fill, frozen, functional, raises

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
    ("channel_shuffle", (1, 6, 2, 1), {"groups": 3}),
    ("channel_shuffle", (1, 2, 1, 6), {"groups": 2, "data_format": "NHWC"}),
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
    ("maxout", (1, 6, 2, 1), {"groups": 3}),
    ("local_response_norm", (1, 5, 2, 2), {"size": 3}),
    (
        "local_response_norm",
        (2, 4, 3),
        {"size": 2, "alpha": 0.1, "beta": 0.5, "k": 2.0, "data_format": "NCL"},
    ),
    ("local_response_norm", (1, 2, 2, 4), {"size": 3, "alpha": 0.1, "data_format": "NHWC"}),
    ("swiglu", (2, 4), {}),
    ("pdist", (4, 3), {}),
    ("interpolate", (1, 1, 2, 2), {"scale_factor": 2.0, "mode": "BILINEAR"}),
]:
    cases.gradients(f"{name} {len(cases)}", functional(name, **options), data(*shape), tolerance=1e-5)
cases.gradients("swiglu two", functional("swiglu"), data(2, 3), data(2, 3, seed=2))
cases.gradients(
    "bilinear",
    functional("bilinear"),
    data(2, 3),
    data(2, 4, seed=2),
    data(5, 3, 4, seed=3),
    data(1, 5, seed=4),
)
cases.gradients(
    "sequence_mask", lambda: F.sequence_mask(frozen(np.array([[2, 0], [3, 1]]))),
)  # fmt: skip
cases.gradients(
    "sequence_mask options", lambda: F.sequence_mask(frozen(np.array([2, 4])), maxlen=3, dtype="float32")
)


@cases
def border_layers():
    line, image, volume = data(1, 2, 4), data(1, 1, 3, 4), data(1, 1, 2, 3, 3)
    pads = {1: [1, 2], 2: [1, 2, 0, 1], 3: [1, 0, 2, 1, 0, 1]}
    answers = []
    for axes, x in ((1, line), (2, image), (3, volume)):
        for kind in ("Reflection", "Replication", "Circular"):
            layer = getattr(nn, f"{kind}Pad{axes}D")(pads[axes])
            answers.append([repr(layer), layer(frozen(x))])
        layer = getattr(nn, f"ConstantPad{axes}D")(1, 2.5)
        answers.append([repr(layer), layer(frozen(x))])
        layer = getattr(nn, f"ZeroPad{axes}D")(pads[axes])
        answers.append([repr(layer), layer(frozen(x))])
    layer = nn.Pad3D(pads[3], mode="replicate")
    return [*answers, [repr(layer), layer(frozen(volume))]]


@cases
def small_layers():
    x = frozen(data(1, 4, 2, 2).astype("float32"))
    layers = [
        nn.PixelShuffle(2), nn.PixelUnshuffle(2), nn.ChannelShuffle(2), nn.Maxout(2), nn.LocalResponseNorm(3),
        nn.Softmax2D(), nn.Unflatten(1, [2, -1]), nn.Unfold(2), nn.Identity(), nn.Upsample(scale_factor=2),
    ]  # fmt: skip
    return [[repr(layer), layer(x)] for layer in layers] + [
        repr(nn.Dropout3D(0.3)),
        repr(nn.Bilinear(2, 3, 4)),
    ]


@cases
def bilinear_layer():
    layer = fill(nn.Bilinear(2, 3, 4))
    arrays = data(5, 2).astype("float32"), data(5, 3, seed=2).astype("float32")
    return [differentiate(layer, *arrays), [list(one.shape) for one in layer.parameters()]]


@cases
def spectral_norm_layer():
    layer = nn.SpectralNorm([2, 3, 2], dim=1, power_iters=2)
    layer.weight_u.set_value(data(3, seed=5).astype("float32"))
    layer.weight_v.set_value(data(4, seed=6).astype("float32"))
    return layer(frozen(data(2, 3, 2).astype("float32")))


@cases
def vision_errors():
    x = frozen(IMAGE)
    calls = {
        "shuffle": lambda: F.pixel_shuffle(x, 2),
        "shuffle type": lambda: F.pixel_shuffle(x, 2.0),
        "unshuffle": lambda: F.pixel_unshuffle(x, 5),
        "unshuffle 0": lambda: F.pixel_unshuffle(x, 0),
        "format": lambda: F.pixel_unshuffle(x, 1, "NCL"),
        "channels": lambda: F.channel_shuffle(x, 3),
        "groups": lambda: nn.ChannelShuffle("2"),
        "grid mode": lambda: F.grid_sample(x, frozen(GRID), mode="bicubic"),
        "padding mode": lambda: F.grid_sample(x, frozen(GRID), padding_mode="mirror"),
        "grid": lambda: F.grid_sample(x, frozen(data(2, 2, 3, 2))),
        "theta": lambda: F.affine_grid([1.0], [1, 1, 2, 2]),
        "unfold rank": lambda: F.unfold(x[0], 2),
        "unfold size": lambda: F.unfold(x, 9),
        "fold": lambda: F.fold(x, 2, 2),
        "norm rank": lambda: F.local_response_norm(x[0, 0], 3),
        "softmax": lambda: nn.Softmax2D()(x[0, 0]),
    }
    return {name: raises(call) for name, call in calls.items()}
