"""layer_norm, batch_norm and similar ones against their formulas, also with frozen parts."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(2)


def leaf(*shape, low=-1.0):
    return paddle.to_tensor(RNG.uniform(low, 1, shape), stop_gradient=False)


def normal(x, axes, eps=1e-5):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


@pytest.mark.parametrize("shape", [3, [3], [2, 3]])
def test_layer_norm_formula(shape):
    x, size = leaf(4, 2, 3), int(np.prod(shape))
    w, b = leaf(size), leaf(size)
    axes = (1, 2) if shape == [2, 3] else (2,)
    y = F.layer_norm(x, shape, w, b)
    ends = x.shape[-len(axes) :]
    want = normal(x.numpy(), axes) * w.numpy().reshape(ends) + b.numpy().reshape(ends)
    np.testing.assert_allclose(y.numpy(), want)


def gradient_of_x(function, x):
    fresh = paddle.to_tensor(x.numpy(), stop_gradient=False)
    y = function(fresh)
    y.backward(paddle.to_tensor(np.linspace(0.5, 1.5, y.size).reshape(y.shape)))
    return fresh.grad.numpy()


def test_a_frozen_weight_still_counts_in_layer_norm():
    x, w, b = leaf(4, 3), leaf(3), leaf(3)
    trained = gradient_of_x(lambda x: F.layer_norm(x, 3, w, b), x)
    frozen = gradient_of_x(lambda x: F.layer_norm(x, 3, w.detach(), b.detach()), x)
    np.testing.assert_array_equal(frozen, trained)
    without = gradient_of_x(lambda x: F.layer_norm(x, 3), x)
    assert not np.allclose(frozen, without)


def test_layer_norm_refuses_other_shapes_and_large_epsilon():
    with pytest.raises(ValueError, match="normalized_shape"):
        F.layer_norm(leaf(2, 3), 4)
    with pytest.raises(ValueError, match="epsilon"):
        F.layer_norm(leaf(2, 3), 3, epsilon=0.1)
    with pytest.raises(ValueError, match="scale"):
        F.layer_norm(leaf(2, 3), 3, leaf(2))


def test_layer_norm_needs_an_axis_before_those_that_it_normalises():
    for x, shape in ((leaf(3), 3), (leaf(2, 3), [2, 3])):
        with pytest.raises(ValueError, match="should be greater than zero"):
            F.layer_norm(x, shape)


@pytest.mark.parametrize("shape", [(0, 3), (0, 2, 3), (2, 0), (0, 0)])
def test_layer_norm_of_nothing_gives_gradients_of_nothing_and_zeros(shape):
    x, w, b = leaf(*shape), leaf(shape[-1]), leaf(shape[-1])
    F.layer_norm(x, shape[-1], w, b).sum().backward()
    assert x.grad.shape == list(shape)
    assert w.grad.tolist() == b.grad.tolist() == [0.0] * shape[-1]


def running():
    return paddle.to_tensor(np.array([0.1, -0.2])), paddle.to_tensor(np.array([1.5, 0.5]))


@pytest.mark.parametrize("shape", [(5, 2), (3, 2, 4), (3, 2, 2, 2)])
def test_batch_norm_in_training_follows_the_batch(shape):
    (mean, var), x, w, b = running(), leaf(*shape), leaf(2), leaf(2)
    axes = (0, *range(2, len(shape)))
    along = (1, 2) + (1,) * (len(shape) - 2)
    y = F.batch_norm(x, mean, var, w, b, training=True)
    want = normal(x.numpy(), axes) * w.numpy().reshape(along) + b.numpy().reshape(along)
    np.testing.assert_allclose(y.numpy(), want)
    np.testing.assert_allclose(mean.numpy(), 0.9 * np.array([0.1, -0.2]) + 0.1 * x.numpy().mean(axes))
    np.testing.assert_allclose(var.numpy(), 0.9 * np.array([1.5, 0.5]) + 0.1 * x.numpy().var(axes))


@pytest.mark.parametrize("options", [{"training": False}, {"training": True, "use_global_stats": True}])
def test_batch_norm_in_evaluation_follows_the_averages(options):
    (mean, var), x = running(), leaf(4, 2)
    y = F.batch_norm(x, mean, var, **options)
    np.testing.assert_allclose(y.numpy(), (x.numpy() - [0.1, -0.2]) / np.sqrt(np.array([1.5, 0.5]) + 1e-5))
    assert mean.tolist() == [0.1, -0.2]
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy()[0], 1 / np.sqrt(np.array([1.5, 0.5]) + 1e-5))


@pytest.mark.parametrize("trainable", ["weight", "bias"])
def test_batch_norm_gives_each_parameter_its_own_gradient(trainable):
    x, w, b = leaf(4, 2), leaf(2), leaf(2)
    seed = paddle.to_tensor(RNG.uniform(0, 1, (4, 2)))
    F.batch_norm(x, *running(), w, b, training=True).backward(seed)
    alone = {"weight": w, "bias": b}[trainable]
    want, alone.grad = alone.grad.numpy(), None
    parts = {"weight": w.detach(), "bias": b.detach(), trainable: alone}
    F.batch_norm(x.detach(), *running(), parts["weight"], parts["bias"], training=True).backward(seed)
    np.testing.assert_allclose(alone.grad.numpy(), want)


def test_batch_norm_with_channels_last():
    x = leaf(2, 3, 4, 2)
    first = paddle.to_tensor(x.numpy().transpose(0, 3, 1, 2))
    last = F.batch_norm(x, *running(), training=True, data_format="NHWC").numpy()
    np.testing.assert_allclose(
        last.transpose(0, 3, 1, 2), F.batch_norm(first, *running(), training=True).numpy()
    )


def test_batch_norm_refuses_other_channels():
    with pytest.raises(ValueError, match="number of Channels"):
        F.batch_norm(leaf(4, 3), *running())
    with pytest.raises(AssertionError, match="larger than 1"):
        F.batch_norm(leaf(2), *running())


def test_group_and_instance_norm():
    x, w, b = leaf(2, 4, 3, 3), leaf(4), leaf(4)
    grouped = normal(x.numpy().reshape(2, 2, -1), (2,)).reshape(x.shape)
    want = grouped * w.numpy()[:, None, None] + b.numpy()[:, None, None]
    np.testing.assert_allclose(F.group_norm(x, 2, 1e-5, w, b).numpy(), want)
    np.testing.assert_allclose(F.instance_norm(x).numpy(), normal(x.numpy(), (2, 3)))
    with pytest.raises(ValueError, match="divisible by num_groups"):
        F.group_norm(x, 3)


def test_normalize_divides_by_the_norm():
    x = leaf(2, 3)
    want = x.numpy() / np.linalg.norm(x.numpy(), axis=1, keepdims=True)
    np.testing.assert_allclose(F.normalize(x).numpy(), want)
    assert F.normalize(paddle.zeros([1, 2])).tolist() == [[0, 0]]


def test_normalize_has_a_finite_gradient_at_the_origin():
    x = paddle.to_tensor([[0.0, 0.0]], dtype="float64", stop_gradient=False)
    (F.normalize(x) * paddle.to_tensor([[1.0, 2.0]], dtype="float64")).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [[1e12, 2e12]])
