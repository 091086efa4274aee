"""Section 3: appending operators by hand, with attributes that no function of Paddle's sets."""

import numpy as np
import paddle

from tests.support.parity.graphs import run
from tests.support.parity.kit import Family, data, raises

cases = Family("static_append_op")
S = paddle.static

IMAGE, LAST = data(2, 3, 5, 6), data(2, 5, 6, 3)
FILTER, TURNED = data(4, 3, 2, 3), data(3, 4, 2, 3)
ROW, CHANCES = data(2, 4), np.abs(data(2, 3)) / 4 + 0.1
CONV = {"strides": [1, 2], "paddings": [1, 0], "dilations": [2, 1], "groups": 1}
UP = {"strides": [2, 2], "paddings": [1, 0], "dilations": [1, 1], "groups": 1}
POOL = {"ksize": [2, 3], "strides": [2, 2], "paddings": [0, 1]}
LABEL = np.array([[0, 1, 1.0], [0.5, -100, 1]], "float32")
PICKED = np.array([[0, 0], [2, 1]], "int64")


def called(type, inputs, outputs, wanted, attrs):
    """The results of one call and, for the first of them, the gradients of `wanted`; their shapes when built."""
    block, fed, ins = S.default_main_program().global_block(), {}, {}
    for slot, array in inputs.items():
        array = array.astype("float32") if array.dtype == "float64" else array
        ins[slot] = S.data(slot.lower(), array.shape, str(array.dtype))
        ins[slot].stop_gradient = False
        fed[slot.lower()] = array
    outs = {slot: block.create_var(name=slot, shape=[2], dtype=dtype) for slot, dtype in outputs.items()}
    block.append_op(type=type, inputs=ins, outputs=outs, attrs=attrs)
    first = next(iter(outs.values()))
    grads = S.gradients([first], [ins[slot] for slot in wanted]) if wanted else []
    return [list(one.shape) for one in outs.values()], run([*outs.values(), *grads], fed)


def call(name, type, inputs, wanted="", out="Out:float32", **attrs):
    outputs = dict(one.split(":") for one in out.split())
    cases.add(f"{type} {name}", called, type, inputs, outputs, wanted.split(), attrs)


# -- windows ------------------------------------------------------------------------------------------------------

for kind in ("max", "avg"):
    told = {**POOL, "pooling_type": kind}
    call(f"{kind} NHWC", "pool2d", {"X": LAST}, "X", **told, data_format="NHWC")
    call(f"{kind} SAME", "pool2d", {"X": IMAGE}, "X", **told, padding_algorithm="SAME")
    call(f"{kind} VALID", "pool2d", {"X": IMAGE}, "X", **told, padding_algorithm="VALID")
    call(f"{kind} whole", "pool2d", {"X": IMAGE}, "X", **told, global_pooling=True)
    both = {"global_pooling": True, "data_format": "NHWC", "padding_algorithm": "SAME"}
    call(f"{kind} whole NHWC", "pool2d", {"X": LAST}, "X", **told, **both)
call("adaptive", "pool2d", {"X": IMAGE}, "X", **POOL, pooling_type="avg", adaptive=True, exclusive=False)
call("avg NDHWC", "pool3d", {"X": data(2, 3, 4, 5, 3)}, "X", ksize=[2, 2, 3], strides=[2, 2, 1], paddings=[0, 1, 1],
     pooling_type="avg", data_format="NDHWC", exclusive=False)  # fmt: skip
call(
    "whole",
    "max_pool2d_with_index",
    {"X": IMAGE},
    "X",
    "Out:float32 Mask:int32",
    ksize=[2, 3],
    global_pooling=True,
)

PAIR = {"Input": IMAGE, "Filter": FILTER}
call("NHWC", "conv2d", {**PAIR, "Input": LAST}, "Input Filter", "Output:float32", **CONV, data_format="NHWC")
call("AnyLayout", "conv2d", PAIR, "Input Filter", "Output:float32", **CONV, data_format="AnyLayout")
call("SAME", "conv2d", PAIR, "Input Filter", "Output:float32", **CONV, padding_algorithm="SAME")
call("VALID", "conv2d", PAIR, "Input Filter", "Output:float32", **CONV, padding_algorithm="VALID")
PAIR = {"Input": IMAGE, "Filter": TURNED}
call("plain", "conv2d_transpose", PAIR, "Input Filter", "Output:float32", **UP)
call(
    "NHWC",
    "conv2d_transpose",
    {**PAIR, "Input": LAST},
    "Input Filter",
    "Output:float32",
    **UP,
    data_format="NHWC",
)
call("SAME", "conv2d_transpose", PAIR, "Input Filter", "Output:float32", **UP, padding_algorithm="SAME")
call("more", "conv2d_transpose", PAIR, "Input Filter", "Output:float32", **UP, output_padding=[1, 0])
call("size", "conv2d_transpose", PAIR, "Input Filter", "Output:float32", **UP, output_size=[9, 14])
SMALL = {"Input": data(1, 2, 3, 2, 2), "Filter": data(2, 2, 2, 2, 2)}
call("NDHWC", "conv3d_transpose", SMALL, "Input Filter", "Output:float32", strides=[2, 2, 2], paddings=[0, 0, 0],
     dilations=[1, 1, 1], groups=1, data_format="NDHWC")  # fmt: skip

for kind in ("bilinear", "nearest"):
    call("NHWC", f"{kind}_interp_v2", {"X": LAST}, "X", out_h=7, out_w=8, scale=[], interp_method=kind,
         align_corners=False, data_layout="NHWC")  # fmt: skip
call("by another method", "bilinear_interp_v2", {"X": IMAGE}, "X", out_h=7, out_w=8, scale=[], interp_method="nearest",
     align_corners=False)  # fmt: skip
call("NHWC", "channel_shuffle", {"X": data(2, 2, 3, 6)}, "X", groups=2, data_format="NHWC")
call("NHWC", "pixel_shuffle", {"X": data(2, 2, 3, 8)}, "X", upscale_factor=2, data_format="NHWC")
call("NHWC", "pixel_unshuffle", {"X": data(2, 4, 6, 2)}, "X", downscale_factor=2, data_format="NHWC")
call("NHWC", "temporal_shift", {"X": data(4, 2, 3, 8)}, "X", seg_num=2, shift_ratio=0.25, data_format="NHWC")
call(
    "NHWC",
    "prelu",
    {"X": LAST, "Alpha": np.abs(data(1, 1, 1, 3))},
    "X Alpha",
    mode="channel",
    data_format="NHWC",
)
call("of channels", "prelu", {"X": IMAGE, "Alpha": np.abs(data(3))}, "X Alpha", mode="channel")
for kind in ("constant", "reflect", "replicate", "circular"):
    for layout in ("NCDHW", "NDHWC"):
        call(f"{kind} {layout}", "pad3d", {"X": data(1, 3, 3, 3, 2)}, "X", paddings=[1, 0, 1, 1, 0, 1], mode=kind,
             value=2.5, data_format=layout)  # fmt: skip

# -- axes and types -----------------------------------------------------------------------------------------------

call("as float64", "reduce_sum", {"X": ROW}, "X", "Out:float64", dim=[1], out_dtype=6, in_dtype=5)
call("as int64", "reduce_sum", {"X": ROW}, "", "Out:int64", dim=[1], out_dtype=3)
for kind in ("mean", "max", "prod"):
    call("in another type", f"reduce_{kind}", {"X": ROW}, "X", dim=[1], in_dtype=6)
for kind in ("cumsum", "logcumsumexp"):
    for told in ({"exclusive": True}, {"reverse": True}, {"exclusive": True, "reverse": True}):
        call(" ".join(told), kind, {"X": ROW}, "X", axis=1, **told)
call("flat", "logcumsumexp", {"X": ROW}, "X", axis=0, flatten=True)
call("int64", "one_hot_v2", {"X": np.array([1, 0, 2])}, "", "Out:int64", depth=3, dtype=3)
call("2.5", "fill_constant", {}, shape=[2], dtype=5, str_value="2.5", value=1.0)
call(
    "2.5", "fill_constant_batch_size_like", {"Input": ROW}, shape=[-1, 3], dtype=5, str_value="2.5", value=1.0
)
for told in ({}, {"is_sorted": False}, {"is_sorted": True, "return_inverse": True}):
    call(f"{told}", "unique", {"X": np.array([3, 1, 3, 2, 1])}, "", "Out:int64 Index:int64", dtype=3, **told)

# -- losses and others --------------------------------------------------------------------------------------------

call("of another threshold", "mish", {"X": ROW}, threshold=0.5)
call("of other numbers", "hard_swish", {"X": ROW}, "X", threshold=5.0, scale=4.0, offset=2.0)
for kind in ("none", "mean", "sum", "batchmean"):
    call(kind, "kldiv_loss", {"X": data(2, 3), "Target": CHANCES}, "X", "Loss:float32", reduction=kind)
for told in ({"normalize": True}, {"ignore_index": 1}, {"normalize": True, "ignore_index": 1}):
    call(f"{told}", "sigmoid_cross_entropy_with_logits", {"X": data(2, 3), "Label": LABEL}, "X", **told)
CHOICE = {"Logits": CHANCES, "Label": np.array([[1], [2]])}
BOTH = "Loss:float32 Softmax:float32"
call("of chances", "softmax_with_cross_entropy", CHOICE, "Logits", BOTH, use_softmax=False, axis=-1)
call(
    "ignoring",
    "softmax_with_cross_entropy",
    CHOICE,
    "Logits",
    BOTH,
    use_softmax=False,
    axis=-1,
    ignore_index=2,
)
call("soft", "softmax_with_cross_entropy", {**CHOICE, "Label": CHANCES}, "Logits", BOTH, use_softmax=False, axis=-1,
     soft_label=True)  # fmt: skip
call("unstable", "softmax_with_cross_entropy", CHOICE, "Logits", BOTH, numeric_stable_mode=False, axis=-1)
for power in (0.0, 1.0, 2.0, 3.0, float("inf")):
    call(f"{power}", "p_norm", {"X": ROW}, "X", porder=power, axis=1, epsilon=0.5)
WRITTEN = {"Input": data(2, 3), "Index": PICKED, "Value": CHANCES[:, :2]}
for kind in ("assign", "add", "mean", "mul"):
    call(
        f"{kind} alone",
        "put_along_axis",
        WRITTEN,
        "Value",
        "Result:float32",
        Axis=1,
        Reduce=kind,
        Include_self=False,
    )
call("mul", "put_along_axis", WRITTEN, "Input Value", "Result:float32", Axis=1, Reduce="mul")
DRAWN = {"min": -1.0, "max": 1.0, "seed": 5, "dtype": 5, "diag_num": 3, "diag_step": 4, "diag_val": 9.0}
call("with a diagonal", "uniform_random", {}, shape=[3, 4], **DRAWN)
call("with a diagonal", "uniform_random_batch_size_like", {"Input": data(3, 2)}, shape=[-1, 4], **DRAWN)
call("by count", "split", {"X": ROW}, "", "Out:float32", num=1, sections=[4], axis=1)


@cases
def attributes_are_printed_as_given():
    x = S.data("x", [2, 5, 6, 3])
    block = S.default_main_program().global_block()
    out = block.create_var(name="out", shape=[2], dtype="float32")
    told = {**POOL, "pooling_type": "avg", "data_format": "NHWC", "padding_algorithm": "SAME"}
    op = block.append_op(type="pool2d", inputs={"X": x}, outputs={"Out": out}, attrs=dict(told))
    return op.type, {name: op.attr(name) for name in told}, list(out.shape)


@cases
def class_centers_of_a_seed():
    outs = {"RemappedLabel": "int64", "SampledLocalClassCenter": "int64"}
    attrs = {"num_classes": 20, "num_samples": 6, "fix_seed": True, "seed": 5}
    return called("class_center_sample", {"Label": np.array([3, 1, 3])}, outs, [], attrs)[1]


@cases
def a_diagonal_that_is_too_long():
    return raises(
        lambda: called("uniform_random", {}, {"Out": "float32"}, [], {**DRAWN, "shape": [2, 3]}), "num"
    )


# -- what writes over its inputs --------------------------------------------------------------------------------------


def normed(**attrs):
    """Results and running averages of batch_norm, which is told not to count."""
    block, x = S.default_main_program().global_block(), S.data("x", [2, 3, 5, 6])
    values = {"Scale": 1.5, "Bias": 0.5, "Mean": 0.25, "Variance": 2.0}
    ins = {slot: S.create_global_var([3], value, "float32", True) for slot, value in values.items()}
    outs = {
        slot: block.create_var(name=slot, dtype="float32") for slot in ("Y", "SavedMean", "SavedVariance")
    }
    outs |= {"MeanOut": ins["Mean"], "VarianceOut": ins["Variance"]}
    block.append_op(type="batch_norm", inputs={"X": x, **ins}, outputs=outs, attrs=attrs)
    return run([outs["Y"], outs["MeanOut"], outs["VarianceOut"]], {"x": IMAGE.astype("float32")})


for known in (
    {"use_global_stats": True},
    {"is_test": True},
    {"use_global_stats": True, "trainable_statistics": True},
):
    cases.add(f"batch_norm {' '.join(known)}", lambda known=known: normed(momentum=0.5, **known))
