"""static.nn: layers as functions: parameters, names, values, refusals."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.paddle.nn import initializer as I

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
IMAGES = np.random.default_rng(0).uniform(-1, 1, (2, 4, 6, 6)).astype("float32")


def images():
    return S.data("x", [-1, 4, 6, 6])


def parameters():
    return {one.name: list(one.shape) for one in S.default_main_program().all_parameters()}


def run(*fetches, feed=IMAGES):
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe.run(feed={"x": feed}, fetch_list=list(fetches))


def held(name):
    with within(EAGER):
        return paddle.to_tensor(np.array(S.global_scope().find_var(name).get_tensor()))


def eagerly(function):
    paddle.disable_static()
    return function(paddle.to_tensor(IMAGES), paddle.nn.functional).numpy()


def test_conv2d():
    y = S.nn.conv2d(images(), 6, 3, stride=2, padding=1, act="relu", bias_attr=I.Constant(0.1))
    assert (y.name, y.shape) == ("conv2d_0.tmp_2", (-1, 6, 3, 3))
    assert parameters() == {"conv2d_0.w_0": [6, 4, 3, 3], "conv2d_0.b_0": [6]}
    (found,) = run(y)
    expected = eagerly(lambda x, F: F.relu(F.conv2d(x, held("conv2d_0.w_0"), held("conv2d_0.b_0"), 2, 1)))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_conv2d_channels_last():
    x = S.data("x", [-1, 6, 6, 4])
    y = S.nn.conv2d(x, 5, 3, data_format="NHWC", bias_attr=I.Constant(0.5))
    assert y.shape == (-1, 4, 4, 5)
    found, plain = run(y, "conv2d_0.tmp_0", feed=IMAGES.transpose(0, 2, 3, 1).copy())
    assert found.shape == (2, 4, 4, 5)
    assert plain is not found


def test_batch_norm_learns_its_averages():
    y = S.nn.batch_norm(images(), act="relu", moving_mean_name="mean")
    assert list(parameters()) == ["batch_norm_0.w_0", "batch_norm_0.b_0", "mean", "batch_norm_0.w_1"]
    (found,) = run(y)
    np.testing.assert_allclose(held("mean").numpy(), 0.1 * IMAGES.mean(axis=(0, 2, 3)), rtol=1e-4, atol=1e-7)
    normal = IMAGES - IMAGES.mean(axis=(0, 2, 3), keepdims=True)
    normal /= np.sqrt(IMAGES.var(axis=(0, 2, 3), keepdims=True) + 1e-5)
    np.testing.assert_allclose(found, np.maximum(normal, 0), rtol=1e-4, atol=1e-5)


def test_batch_norm_for_test_uses_the_averages():
    y = S.nn.batch_norm(images())
    test = S.default_main_program().clone(for_test=True)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    (found,) = exe.run(test, {"x": IMAGES}, [y])
    np.testing.assert_allclose(found, IMAGES / np.sqrt(1 + 1e-5), rtol=1e-6)
    assert not held("batch_norm_0.w_1").numpy().any()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda x: S.nn.layer_norm(x, begin_norm_axis=2), lambda x, F: F.layer_norm(x, [6, 6])),
        (lambda x: S.nn.layer_norm(x, scale=False, shift=False), lambda x, F: F.layer_norm(x, [4, 6, 6])),
    ],
)
def test_layer_norm(make, expected):
    (found,) = run(make(images()))
    np.testing.assert_allclose(found, eagerly(expected), rtol=1e-5, atol=1e-6)


def test_layers_of_one_name_share_parameters():
    x = S.data("x", [-1, 3])
    first, second = (S.nn.fc(x, 2, weight_attr="w", bias_attr=False) for _ in range(2))
    assert parameters() == {"w": [3, 2]}
    assert len(S.default_startup_program().global_block().ops) == 1
    assert np.array_equal(*run(first, second, feed=np.ones((1, 3), "float32")))


def test_fc_refuses_unknown_widths():
    with pytest.raises(ValueError, match="num_flatten_dims"):
        S.nn.fc(S.data("x", [-1, -1]), 2)


def test_fc_refuses_unknown_activations():
    with pytest.raises(ValueError, match="squash"):
        S.nn.fc(S.data("x", [-1, 3]), 2, activation="squash")


@pytest.mark.parametrize("name", ["fc", "conv2d", "batch_norm", "layer_norm"])
def test_layers_are_for_programs(name):
    paddle.disable_static()
    arguments = {"conv2d": (2, 3), "fc": (2,)}.get(name, ())
    with pytest.raises(AssertionError, match="enable_static"):
        getattr(S.nn, name)(paddle.ones([2, 3]), *arguments)
