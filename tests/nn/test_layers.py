"""Layers as callables: each does the same as its function, with the given arguments."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.nn import functional as F

RNG = np.random.default_rng(5)


def data(*shape):
    return paddle.to_tensor(RNG.uniform(-3, 3, shape).astype("float32"))


ACTIVATIONS = {
    "ELU": ("elu", {"alpha": 0.5}),
    "GELU": ("gelu", {"approximate": True}),
    "GLU": ("glu", {"axis": 0}),
    "Hardsigmoid": ("hardsigmoid", {}),
    "Hardswish": ("hardswish", {}),
    "LeakyReLU": ("leaky_relu", {"negative_slope": 0.3}),
    "LogSigmoid": ("log_sigmoid", {}),
    "LogSoftmax": ("log_softmax", {"axis": 0}),
    "Mish": ("mish", {}),
    "ReLU": ("relu", {}),
    "ReLU6": ("relu6", {}),
    "SELU": ("selu", {"scale": 1.1, "alpha": 1.2}),
    "Sigmoid": ("sigmoid", {}),
    "Silu": ("silu", {}),
    "Softmax": ("softmax", {"axis": 0}),
    "Softplus": ("softplus", {"beta": 2.0, "threshold": 1.0}),
    "Softshrink": ("softshrink", {"threshold": 0.7}),
    "Softsign": ("softsign", {}),
    "Swish": ("swish", {}),
    "Tanh": ("tanh", {}),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation_layers_keep_the_arguments_of_their_function(name):
    function, options = ACTIVATIONS[name]
    x = data(4, 6)
    want = getattr(F, function)(x, **options).numpy()
    np.testing.assert_array_equal(getattr(nn, name)(**options)(x).numpy(), want)
    np.testing.assert_array_equal(getattr(nn, name)(*options.values())(x).numpy(), want)
    if options:
        assert not np.array_equal(getattr(nn, name)()(x).numpy(), want)


def test_activation_layers_refuse_unknown_arguments():
    with pytest.raises(TypeError, match="negative_slope, name"):
        nn.LeakyReLU(slope=0.1)
    with pytest.raises(TypeError, match="ReLU takes"):
        nn.ReLU("its name", 0.1)


def test_prelu_learns_its_slope():
    layer = nn.PReLU()
    layer(paddle.to_tensor([-2.0, 3.0])).sum().backward()
    assert layer(paddle.to_tensor([-2.0, 3.0])).tolist() == [-0.5, 3]
    assert layer._weight.grad.tolist() == [-2]


def test_in_place_relu_writes_to_its_input():
    x = paddle.to_tensor([-1.0, 2.0])
    assert F.relu_(x) is x
    assert x.tolist() == [0, 2]
    assert x.inplace_version == 1


def test_linear():
    layer, x = nn.Linear(3, 2), data(2, 4, 3)
    want = x.numpy() @ layer.weight.numpy() + layer.bias.numpy()
    np.testing.assert_allclose(layer(x).numpy(), want, rtol=1e-5)
    with pytest.raises(ValueError, match=r"3.*4|4.*3"):
        layer(data(2, 4))


def test_embedding_layer():
    layer = nn.Embedding(4, 3, padding_idx=1)
    layer(paddle.to_tensor([[1, 2]])).sum().backward()
    assert layer.weight.grad.numpy()[:, 0].tolist() == [0, 0, 1, 0]
    with pytest.raises(ValueError, match="padding_idx"):
        nn.Embedding(4, 3, padding_idx=4)
    with pytest.raises(ValueError, match="greater than 0"):
        nn.Embedding(0, 3)


def test_convolution_layers():
    x = data(2, 4, 6, 5)
    conv = nn.Conv2D(4, 6, [3, 2], stride=2, padding=1, dilation=[1, 2], groups=2)
    want = F.conv2d(x, conv.weight, conv.bias, 2, 1, [1, 2], 2)
    np.testing.assert_array_equal(conv(x).numpy(), want.numpy())
    back = nn.Conv2DTranspose(4, 6, 3, stride=2, output_padding=1, groups=2)
    assert back.weight.shape == [4, 3, 3, 3]
    assert back(x).shape == [2, 6, 14, 12]
    assert back(x, output_size=[13, 12]).shape == [2, 6, 13, 12]
    assert nn.Conv1D(4, 2, 3, padding=1)(data(2, 4, 7)).shape == [2, 2, 7]
    with pytest.raises(ValueError, match="divisible by groups"):
        nn.Conv2D(3, 4, 1, groups=2)
    with pytest.raises(ValueError, match="padding_mode"):
        nn.Conv2D(3, 4, 1, padding_mode="mirror")


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_a_convolution_may_pad_with_its_image(mode):
    conv, x = nn.Conv2D(1, 1, 3, padding=[1, 2], padding_mode=mode), data(1, 1, 4, 5)
    bordered = F.pad(x, [2, 2, 1, 1], mode=mode)
    np.testing.assert_array_equal(conv(x).numpy(), F.conv2d(bordered, conv.weight, conv.bias).numpy())


def test_pooling_layers_keep_their_arguments():
    x, row = data(1, 2, 6, 7), data(1, 2, 7)
    pairs = [
        (nn.MaxPool2D(3, 2, 1, ceil_mode=True)(x), F.max_pool2d(x, 3, 2, 1, ceil_mode=True)),
        (nn.AvgPool2D(3, 2, 1, exclusive=False)(x), F.avg_pool2d(x, 3, 2, 1, exclusive=False)),
        (nn.AdaptiveAvgPool2D([4, None])(x), F.adaptive_avg_pool2d(x, [4, None])),
        (nn.AdaptiveMaxPool2D([3, 7])(x), F.adaptive_max_pool2d(x, [3, 7])),
        (nn.MaxPool1D(2, 1)(row), F.max_pool1d(row, 2, 1)),
        (nn.AvgPool1D(3, 2, 1)(row), F.avg_pool1d(row, 3, 2, 1)),
        (nn.AdaptiveAvgPool1D(3)(row), F.adaptive_avg_pool1d(row, 3)),
    ]
    for got, want in pairs:
        np.testing.assert_array_equal(got.numpy(), want.numpy())
    _, mask = nn.MaxPool2D(2, return_mask=True)(x)
    assert mask.dtype == paddle.int32


def test_batch_norm_learns_in_training_and_uses_it_in_evaluation():
    layer, x = nn.BatchNorm2D(2, momentum=0.5), data(4, 2, 3, 3)
    y = layer(x).numpy()
    np.testing.assert_allclose(y.mean((0, 2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(layer._mean.numpy(), 0.5 * x.numpy().mean((0, 2, 3)), rtol=1e-5)
    np.testing.assert_allclose(layer._variance.numpy(), 0.5 + 0.5 * x.numpy().var((0, 2, 3)), rtol=1e-5)
    kept = layer._mean.tolist()
    layer.eval()
    y = layer(x).numpy()
    mean, var = (average.numpy()[:, None, None] for average in (layer._mean, layer._variance))
    np.testing.assert_allclose(y, (x.numpy() - mean) / np.sqrt(var + 1e-5), rtol=1e-5, atol=1e-6)
    assert layer._mean.tolist() == kept
    assert [p.trainable for p in layer.parameters()] == [True, True, False, False]


def test_batch_norm_of_other_ranks_and_the_old_form():
    assert nn.BatchNorm1D(3)(data(4, 3)).shape == [4, 3]
    assert nn.BatchNorm1D(3)(data(4, 3, 2)).shape == [4, 3, 2]
    assert nn.BatchNorm3D(2)(data(1, 2, 2, 2, 2)).shape == [1, 2, 2, 2, 2]
    assert (nn.BatchNorm(3, act="relu")(data(4, 3)).numpy() >= 0).all()
    with pytest.raises(ValueError, match="expected 4D input"):
        nn.BatchNorm2D(3)(data(4, 3))


def test_other_norms():
    x = data(2, 4, 3, 3)
    np.testing.assert_allclose(nn.LayerNorm([3, 3])(x).numpy().mean((2, 3)), 0, atol=1e-6)
    np.testing.assert_array_equal(nn.GroupNorm(2, 4)(x).numpy(), F.group_norm(x, 2).numpy())
    np.testing.assert_array_equal(nn.InstanceNorm2D(4)(x).numpy(), F.instance_norm(x).numpy())
    assert nn.InstanceNorm1D(4)(data(2, 4, 5)).shape == [2, 4, 5]


def test_loss_layers_keep_their_arguments():
    scores, labels = data(4, 3), paddle.to_tensor([0, 2, 1, 2])
    p, q = F.softmax(data(4, 3)), F.softmax(data(4, 3))
    weight = paddle.to_tensor([1.0, 2.0, 3.0])
    sign = paddle.to_tensor([[1.0, -1.0, 1.0]] * 4)
    pairs = [
        (
            nn.CrossEntropyLoss(weight, 2, "sum")(scores, labels),
            F.cross_entropy(scores, labels, weight, 2, "sum"),
        ),
        (nn.CrossEntropyLoss(soft_label=True)(scores, q), F.cross_entropy(scores, q, soft_label=True)),
        (nn.NLLLoss(weight, 1, "sum")(p.log(), labels), F.nll_loss(p.log(), labels, weight, 1, "sum")),
        (nn.MSELoss("sum")(p, q), F.mse_loss(p, q, "sum")),
        (nn.L1Loss("none")(p, q), F.l1_loss(p, q, "none")),
        (nn.SmoothL1Loss("sum", 0.1, False)(p, q), F.smooth_l1_loss(p, q, "sum", 0.1, False)),
        (nn.BCELoss(weight, "sum")(p, q), F.binary_cross_entropy(p, q, weight, "sum")),
        (
            nn.BCEWithLogitsLoss(weight, "sum", weight)(scores, q),
            F.binary_cross_entropy_with_logits(scores, q, weight, "sum", weight),
        ),
        (nn.KLDivLoss("batchmean")(p.log(), q), F.kl_div(p.log(), q, "batchmean")),
        (nn.MarginRankingLoss(0.2, "sum")(p, q, sign), F.margin_ranking_loss(p, q, sign, 0.2, "sum")),
    ]
    for got, want in pairs:
        np.testing.assert_array_equal(got.numpy(), want.numpy())
    for kind in (nn.CrossEntropyLoss, nn.MSELoss, nn.NLLLoss, nn.BCELoss):
        with pytest.raises(ValueError, match="reduction"):
            kind(reduction="most")


def test_cosine_similarity():
    a, b = data(3, 4), data(3, 4)
    x, y = a.numpy(), b.numpy()
    want = (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    np.testing.assert_allclose(nn.CosineSimilarity()(a, b).numpy(), want, rtol=1e-5)


def test_small_pieces_train_together():
    paddle.seed(0)
    net = nn.Sequential(
        nn.Conv2D(1, 2, 3, padding=1),
        nn.BatchNorm2D(2),
        nn.ReLU(),
        nn.MaxPool2D(2),
        nn.Flatten(),
        nn.Linear(8, 2),
    )
    x, y = data(6, 1, 4, 4), paddle.to_tensor([0, 1, 0, 1, 0, 1])
    losses = []
    for _ in range(40):
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        losses.append(float(loss))
        for p in filter(lambda p: p.trainable, net.parameters()):
            p.set_value(p.numpy() - 0.2 * p.grad.numpy())
        net.clear_gradients()
    assert losses[-1] < 0.2 * losses[0]


LAYERS = [
    one
    for one in (getattr(nn, name) for name in nn.__all__)
    if isinstance(one, type) and issubclass(one, nn.Layer)
]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda one: one.__name__)
def test_every_layer_may_be_the_base_of_a_class_of_the_users(layer):
    assert issubclass(type("Mine", (layer,), {}), layer)


def test_a_class_of_the_users_does_what_its_base_does():
    class Scaled(nn.CrossEntropyLoss):
        def __init__(self, scale):
            super().__init__(reduction="sum")
            self.scale = scale

        def forward(self, x, label):
            return super().forward(x, label) * self.scale

    class ReLU(nn.LeakyReLU):
        pass

    class Two(nn.GRU):
        pass

    x, label = paddle.to_tensor([[1.0, -1.0]]), paddle.to_tensor([1])
    assert Scaled(2.0)(x, label).item() == 2 * nn.CrossEntropyLoss(reduction="sum")(x, label).item()
    assert ReLU(0.5)(x).tolist() == [[1.0, -0.5]]
    assert Two(2, 3)(x.unsqueeze(0))[0].shape == [1, 1, 3]


def test_glu_gates_one_half_by_the_other():
    x = data(2, 6)
    a, b = x.numpy()[:, :3], x.numpy()[:, 3:]
    np.testing.assert_allclose(F.glu(x).numpy(), a / (1 + np.exp(-b)), rtol=1e-5)


def test_dropout_layers_rest_in_evaluation():
    x = paddle.ones([8, 40, 2, 2])
    for layer in (nn.Dropout(0.5), nn.Dropout2D(0.5)):
        assert not np.array_equal(layer(x).numpy(), x.numpy())
        np.testing.assert_array_equal(layer.eval()(x).numpy(), x.numpy())


def test_shapes_of_the_shape_changers():
    x = data(2, 3, 4, 5)
    assert nn.Flatten()(x).shape == [2, 60]
    assert nn.Flatten(0, 1)(x).shape == [6, 4, 5]
    assert nn.Pad2D([1, 2, 0, 1])(x).shape == [2, 3, 5, 8]
    assert nn.Pad1D(2)(data(1, 2, 3)).shape == [1, 2, 7]
    assert nn.Identity(3, extra="ignored")(x) is x
