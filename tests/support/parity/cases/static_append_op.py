"""Section 3: appending operators by hand, some with attributes that no function of Paddle's sets."""

import numpy as np
import paddle

from tests.support.parity.graphs import run
from tests.support.parity.kit import Family, data

cases = Family("static_append_op")
S = paddle.static

IMAGE, TURNED = data(2, 3, 5, 6), data(3, 4, 2, 3)
ROW, CHANCES = data(2, 4), np.abs(data(2, 3)) / 4 + 0.1
UP = {"strides": [2, 2], "paddings": [1, 0], "dilations": [1, 1], "groups": 1}


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


call("size", "conv2d_transpose", {"Input": IMAGE, "Filter": TURNED}, "Input Filter", "Output:float32", **UP,
     output_size=[9, 14])  # fmt: skip
call("reverse", "cumsum", {"X": ROW}, "X", axis=1, reverse=True)
call("2.5", "fill_constant", {}, shape=[2], dtype=5, str_value="2.5", value=1.0)
call(
    "2.5", "fill_constant_batch_size_like", {"Input": ROW}, shape=[-1, 3], dtype=5, str_value="2.5", value=1.0
)
for told in ({"is_sorted": False}, {"is_sorted": True, "return_inverse": True}):
    call(f"{told}", "unique", {"X": np.array([3, 1, 3, 2, 1])}, "", "Out:int64 Index:int64", dtype=3, **told)
call("none", "kldiv_loss", {"X": data(2, 3), "Target": CHANCES}, "X", "Loss:float32", reduction="none")
for power in (0.0, 1.0, 2.0, 3.0, float("inf")):
    call(f"{power}", "p_norm", {"X": ROW}, "X", porder=power, axis=1, epsilon=0.5)


# -- what writes over its inputs --------------------------------------------------------------------------------------


def _normed(**attrs):
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


cases.add("batch_norm is_test", lambda: _normed(momentum=0.5, is_test=True))
