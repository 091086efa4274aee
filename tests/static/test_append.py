"""Block.append_op: operators and gradients written by hand."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
X = np.array([[0.5, -1.0, 2.0]], "float32")


def block():
    return S.default_main_program().global_block()


def variable(name, dtype="float32"):
    return block().create_var(name=name, shape=[1], dtype=dtype)


def run(*fetches):
    return S.Executor().run(feed={"x": X}, fetch_list=list(fetches))


def test_by_products_may_be_left_out():
    x, out = S.data("x", [-1, 3]), variable("out")
    op = block().append_op(type="reshape2", inputs={"X": x}, outputs={"Out": out}, attrs={"shape": [3, 1]})
    assert out.shape == (3, 1)
    assert op.output("XShape") == ["_generated_var_0"]
    assert np.array_equal(run(out)[0], X.reshape(3, 1))


def test_an_update_writes_its_input():
    w = S.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
    rate, grad = paddle.full([1], 0.5), paddle.ones([2])
    inputs = {"Param": w, "Grad": grad, "LearningRate": rate}
    block().append_op(type="sgd", inputs=inputs, outputs={"ParamOut": w}, attrs={"op_role": 2})
    assert w.op.attr("op_role") == 2
    exe = S.Executor()
    exe.run(S.default_startup_program())
    assert exe.run(fetch_list=[w])[0].tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="ParamOut"):
        block().append_op(type="sgd", inputs=inputs, outputs={"ParamOut": grad})


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="nobody"):
        block().append_op(type="exp", inputs={"X": "nobody"}, outputs={"Out": variable("out")})


def test_a_stopped_input_stops_the_output():
    x, out = S.data("x", [-1, 3]), variable("out")
    assert not out.stop_gradient
    block().append_op(type="exp", inputs={"X": x}, outputs={"Out": out})
    assert out.stop_gradient


IMAGE = {"X": lambda: S.data("image", [1, 2, 4, 4])}
REFUSED = {
    "pool2d": (IMAGE, {"ksize": [2, 2], "pooling_type": "max", "data_format": "NHWC"}, "data_format"),
    "one_hot_v2": ({"X": lambda: S.data("ids", [2], "int64")}, {"depth": 3, "dtype": 3}, "dtype"),
    "put_along_axis": (
        {slot: lambda slot=slot: S.data(slot, [2], "int64") for slot in ("Input", "Index", "Value")},
        {"Axis": 0, "Reduce": "mul"},
        "reduce",
    ),
    "unique": ({"X": lambda: S.data("x", [3])}, {}, "is_sorted"),
    "uniform_random": ({}, {"shape": [2, 3], "dtype": 5, "diag_num": 2}, "diag_num"),
}


@pytest.mark.parametrize("type", REFUSED)
def test_an_attribute_that_would_be_understood_in_another_way_is_refused(type):
    ins, attrs, word = REFUSED[type]
    outs = {"Out": variable("out"), "Result": variable("result"), "Index": variable("index", "int64")}
    with pytest.raises((ValueError, NotImplementedError), match=word):
        block().append_op(type, {slot: make() for slot, make in ins.items()}, outs, attrs)
    assert not block().ops


def test_running_averages_are_not_used_by_hand_while_training():
    values = {
        slot: S.create_global_var([2], 1.0, "float32") for slot in ("Scale", "Bias", "Mean", "Variance")
    }
    count = len(block().ops)
    outs = {slot: variable(slot) for slot in ("Y", "SavedMean", "SavedVariance")}
    outs |= {"MeanOut": values["Mean"], "VarianceOut": values["Variance"]}
    ins = {"X": S.data("image", [1, 2, 4, 4]), **values}
    with pytest.raises(NotImplementedError, match="use_global_stats"):
        block().append_op("batch_norm", ins, outs, {"use_global_stats": True})
    assert len(block().ops) == count
