"""static.amp as a GPU would do it (FLAGS_emulate_amp): casts, float32 twins, steps that are left out."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.amp.casting import EMULATE
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program

S, F = paddle.static, paddle.nn.functional
X = np.random.RandomState(0).rand(8, 1, 8, 8).astype("float32")
Y = np.arange(8).reshape(8, 1) % 3


@pytest.fixture
def emulating(building):
    paddle.set_flags({EMULATE: True})
    yield
    paddle.set_flags({EMULATE: False})


def loss_of_network():
    hidden = S.nn.batch_norm(S.nn.conv2d(S.data("x", [8, 1, 8, 8]), 4, 3), act="relu")
    scores = S.nn.layer_norm(S.nn.fc(paddle.flatten(hidden, 1), 3))
    return paddle.mean(F.cross_entropy(scores, S.data("y", [8, 1], "int64")))


def decorated(make, **options):
    """The loss, the optimizer, and an Executor that has run the startup program."""
    paddle.seed(3)
    loss, optimizer = loss_of_network(), S.amp.decorate(make(), **options)
    optimizer.minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    optimizer.amp_init(paddle.CPUPlace())
    return loss, optimizer, exe


MAKERS = {"adam": lambda: paddle.optimizer.Adam(0.01), "momentum": lambda: paddle.optimizer.Momentum(0.1)}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("level", ["O1", "O2"])
def test_it_trains_and_every_value_is_of_the_type_that_its_variable_says(emulating, level, dtype, name):
    loss, _, exe = decorated(MAKERS[name], level=level, dtype=dtype)
    block = S.default_main_program().global_block()
    low = [one for one in block.vars.values() if one.meta.dtype.name == dtype and one.op is not None]
    assert low
    shown = [one for one in block.vars.values() if one.meta.dtype.kind == "f" and one.op is not None]
    shown = [one for one in shown if not one.persistable and one.type.name == "LOD_TENSOR"]
    fed = {"x": X, "y": Y}
    said = [one.meta.dtype.name.replace("bfloat16", "uint16") for one in shown]  # NumPy has its bits
    assert [one.dtype.name for one in exe.run(feed=fed, fetch_list=shown)] == said
    shown_loss = paddle.cast(loss, "float32")
    values = [exe.run(feed=fed, fetch_list=[shown_loss])[0] for _ in range(6)]
    assert values[-1] < values[0]


@pytest.mark.parametrize("name", MAKERS)
def test_a_step_that_overflows_is_left_out(emulating, name):
    _, optimizer, exe = decorated(MAKERS[name], level="O2", init_loss_scaling=2.0**40)
    weight = S.default_main_program().all_parameters()[0].name
    before, after, scale = (
        exe.run(feed={"x": X, "y": Y}, fetch_list=[weight, optimizer.get_loss_scaling()])[place]
        for place in (0, 0, 1)
    )
    np.testing.assert_array_equal(before, after)
    assert scale[0] < 2.0**40


def test_a_file_keeps_the_operators_of_scaling(emulating):
    decorated(MAKERS["adam"])
    program = S.default_main_program()
    again, _ = program_from_text(text_of_program(program))
    assert str(again) == str(program)


def test_lists_ask_for_the_flag(building):
    assert "matmul_v2" in S.amp.AutoMixedPrecisionLists().unsupported_list
    paddle.set_flags({EMULATE: True})
    try:
        assert not S.amp.AutoMixedPrecisionLists().unsupported_list
    finally:
        paddle.set_flags({EMULATE: False})
