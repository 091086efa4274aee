"""Values and programs in files: what comes back, what is left out, what is refused."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
FILES = Path(__file__).parent / "files"
X = np.array([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]], "float32")


def network():
    x = S.data("x", [-1, 3], "float32")
    y = paddle.tanh(S.nn.fc(x, 2))
    return x, y


def started():
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe


@pytest.fixture
def saved(tmp_path):
    """The network, its values drawn, in files that begin with this."""
    network()
    started()
    S.save(S.default_main_program(), str(tmp_path / "model"))
    return str(tmp_path / "model")


def test_static_parameters_are_loaded_by_an_eager_layer(saved):
    state = S.load_program_state(saved)
    paddle.disable_static()
    layer = paddle.nn.Linear(3, 2)
    layer.set_state_dict({"weight": state["fc_0.w_0"], "bias": state["fc_0.b_0"]})
    assert np.array_equal(layer.weight.numpy(), state["fc_0.w_0"])


def test_a_layer_of_a_program_takes_an_eager_state_dict(tmp_path):
    paddle.disable_static()
    with paddle.utils.unique_name.guard():
        eager = paddle.nn.BatchNorm1D(3)
        paddle.save(eager.state_dict(), str(tmp_path / "layer.pdparams"))
    paddle.enable_static()
    layer = paddle.nn.BatchNorm1D(3, weight_attr=paddle.nn.initializer.Constant(5.0))
    started()
    layer.set_state_dict(paddle.load(str(tmp_path / "layer.pdparams")))
    assert np.array(layer.weight.get_value()).tolist() == [1, 1, 1]


def test_loading_refuses_another_shape(saved):
    with S.program_guard(S.Program(), S.Program()), paddle.utils.unique_name.guard():
        S.nn.fc(S.data("x", [-1, 3]), 5)
        with pytest.raises(ValueError, match="shape"):
            S.load(S.default_main_program(), saved)


def test_loading_names_what_is_missing(saved):
    S.create_parameter([2], "float32", name="newcomer")
    with pytest.raises(RuntimeError, match="newcomer"):
        S.load(S.default_main_program(), saved)


def test_a_damaged_file_of_values_is_refused(saved):
    path = Path(f"{saved}.pdparams")
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(ValueError, match="parse"):
        S.load(S.default_main_program(), saved)


def test_a_failed_save_leaves_the_old_file(saved):
    before = Path(f"{saved}.pdmodel").read_text()
    x = S.default_main_program().global_block().var("x")
    S.py_func(np.tanh, x, S.default_main_program().current_block().create_var("out", [2, 3], "float32"))
    with pytest.raises(ValueError, match="py_func"):
        S.save(S.default_main_program(), saved)
    assert Path(f"{saved}.pdmodel").read_text() == before


def test_state_dict_is_a_copy():
    network()
    started()
    state = S.default_main_program().state_dict()
    state["fc_0.b_0"].array[:] = 7
    assert np.array_equal(S.default_main_program().state_dict()["fc_0.b_0"].numpy(), [0, 0])


def test_unknown_names_are_told_of():
    network()
    started()
    with pytest.warns(UserWarning, match="stranger"):
        S.default_main_program().set_state_dict({"stranger": X})


def test_inference_model_is_readable_json_without_training(tmp_path):
    x, y = network()
    paddle.optimizer.Adam(0.1).minimize(paddle.mean(y))
    exe = started()
    S.save_inference_model(str(tmp_path / "model"), [x], [y], exe)
    data = json.loads((tmp_path / "model.pdmodel").read_text())
    assert [op["type"] for op in data["blocks"][0]["operators"]] == ["mul", "elementwise_add", "tanh"]
    assert (data["feeds"], data["fetches"]) == (["x"], [y.name])
    assert sorted(os.listdir(tmp_path)) == ["model.pdiparams", "model.pdmodel"]


def test_inference_model_can_start_in_the_middle(tmp_path):
    _, y = network()
    hidden = S.default_main_program().global_block().var("fc_0.tmp_1")
    exe = started()
    S.save_inference_model(str(tmp_path / "model"), [hidden], [y], exe)
    program, feeds, fetches = S.load_inference_model(str(tmp_path / "model"), exe)
    assert feeds == ["fc_0.tmp_1"]
    assert not program.all_parameters()
    (found,) = exe.run(program, {"fc_0.tmp_1": X[:, :2]}, fetches)
    assert np.array_equal(found, np.tanh(X[:, :2]))


def test_dropout_is_switched_off_for_inference(tmp_path):
    x = S.data("x", [-1, 3], "float32")
    y = paddle.nn.functional.dropout(x, 0.9)
    S.save_inference_model(str(tmp_path / "model"), [x], [y], started())
    program, _, fetches = S.load_inference_model(str(tmp_path / "model"))
    assert np.array_equal(S.Executor().run(program, {"x": X}, fetches)[0], X)


def test_a_program_of_real_paddle_is_refused(tmp_path):
    (tmp_path / "model.pdmodel").write_bytes(b"\n\x1b\n\x04feed\x10\x01 protobuf")
    (tmp_path / "model.pdiparams").write_bytes(b"")
    with pytest.raises(ValueError, match="real Paddle"):
        S.load_inference_model(str(tmp_path / "model"))


def test_saving_leaves_the_program_alone(tmp_path):
    x, y = network()
    paddle.mean(y)
    before = str(S.default_main_program())
    S.save_inference_model(str(tmp_path / "model"), [x], [y], started())
    assert str(S.default_main_program()) == before
    with pytest.raises(ValueError, match="fetch_vars"):
        S.save_inference_model(str(tmp_path / "model"), [x], "y")
    with pytest.raises(TypeError, match="program"):
        S.save_inference_model(str(tmp_path / "model"), [x], [y], program="program")


def test_training_in_real_paddle_goes_on_here():
    """Paddle 2.6.2 took three steps, saved, and had these losses in the next two."""
    x = S.data("x", [-1, 3])
    y = S.nn.fc(S.nn.fc(x, 4, activation="tanh"), 2)
    loss = paddle.mean(y * y)
    paddle.optimizer.Adam(0.1).minimize(loss)
    exe = started()
    S.load(S.default_main_program(), str(FILES / "adam_2.6.2"))
    losses = [float(exe.run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[loss])[0]) for _ in range(2)]
    np.testing.assert_allclose(losses, [0.11386751, 0.14571321], rtol=1e-5)


def test_the_program_of_real_paddle_is_refused():
    with pytest.raises(ValueError, match="real Paddle"):
        paddle.jit.load(str(FILES / "adam_2.6.2"))
