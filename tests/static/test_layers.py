"""Every layer of paddle.nn builds a Program that computes the same as the layer eagerly, forward and backward."""

import inspect

import numpy as np
import pytest

from minipaddle import paddle

S, nn = paddle.static, paddle.nn
rng = np.random.default_rng(0)


def numbers(*shape):
    return rng.uniform(-1, 1, shape).astype("float32")


ROWS, IMAGES, SEQUENCES = numbers(4, 3), numbers(2, 4, 8, 8), numbers(2, 4, 9)
CHANCES = np.abs(ROWS) * 0.9 + 0.05
LABELS = np.array([0, 1, 2, 1])
VOLUMES, PLACES = numbers(2, 4, 2, 3, 4), np.argsort(SEQUENCES, -1).astype("int32") * 2
MANY_LABELS = np.array([[1, 2, 2], [3, 1, 0], [1, 2, 1]], "int32")


LAYERS = {
    "Linear": (lambda: nn.Linear(3, 2), ROWS),
    "Embedding": (lambda: nn.Embedding(7, 3), np.array([[1, 2], [3, 0]])),
    "Dropout": (lambda: nn.Dropout(0.0), ROWS),
    "Dropout2D": (lambda: nn.Dropout2D(0.0), IMAGES),
    "Flatten": (lambda: nn.Flatten(), IMAGES),
    "Conv1D": (lambda: nn.Conv1D(4, 6, 3), SEQUENCES),
    "Conv2D": (lambda: nn.Conv2D(4, 6, 3, padding=1), IMAGES),
    "Conv2D groups": (lambda: nn.Conv2D(4, 8, 3, groups=4), IMAGES),
    "Conv2D NHWC": (lambda: nn.Conv2D(8, 6, 3, data_format="NHWC"), IMAGES),
    "Conv2DTranspose": (lambda: nn.Conv2DTranspose(4, 6, 3, stride=2), IMAGES),
    "Conv3D": (lambda: nn.Conv3D(4, 2, 3, padding=[1, 0, 0]), VOLUMES),
    "Conv1DTranspose": (lambda: nn.Conv1DTranspose(4, 6, 3, stride=2), SEQUENCES),
    "Conv3DTranspose": (lambda: nn.Conv3DTranspose(4, 2, 2, stride=2), VOLUMES),
    "Upsample": (lambda: nn.Upsample(scale_factor=[1.5, 2], mode="bicubic"), IMAGES),
    "UpsamplingNearest2D": (lambda: nn.UpsamplingNearest2D([3, 10]), IMAGES),
    "BatchNorm": (lambda: nn.BatchNorm(4, act="relu"), IMAGES),
    "BatchNorm1D": (lambda: nn.BatchNorm1D(4), SEQUENCES),
    "BatchNorm2D": (lambda: nn.BatchNorm2D(4), IMAGES),
    "BatchNorm3D": (lambda: nn.BatchNorm3D(4), numbers(2, 4, 3, 3, 3)),
    "LayerNorm": (lambda: nn.LayerNorm([8, 8]), IMAGES),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), IMAGES),
    "InstanceNorm1D": (lambda: nn.InstanceNorm1D(4), SEQUENCES),
    "SyncBatchNorm": (lambda: nn.SyncBatchNorm(4), IMAGES),
    "InstanceNorm2D": (lambda: nn.InstanceNorm2D(4), IMAGES),
    "MaxPool1D": (lambda: nn.MaxPool1D(2), SEQUENCES),
    "AvgPool1D": (lambda: nn.AvgPool1D(2), SEQUENCES),
    "MaxPool2D": (lambda: nn.MaxPool2D(2), IMAGES),
    "AvgPool2D": (lambda: nn.AvgPool2D(2), IMAGES),
    "AdaptiveAvgPool1D": (lambda: nn.AdaptiveAvgPool1D(3), SEQUENCES),
    "AdaptiveAvgPool2D": (lambda: nn.AdaptiveAvgPool2D(2), IMAGES),
    "AdaptiveMaxPool2D": (lambda: nn.AdaptiveMaxPool2D(3), IMAGES),
    "MaxPool3D": (lambda: nn.MaxPool3D(2, 1), VOLUMES),
    "AvgPool3D": (lambda: nn.AvgPool3D(2, 1), VOLUMES),
    "AdaptiveAvgPool3D": (lambda: nn.AdaptiveAvgPool3D(2), VOLUMES),
    "AdaptiveMaxPool3D": (lambda: nn.AdaptiveMaxPool3D([1, 2, 3]), VOLUMES),
    "Pad1D": (lambda: nn.Pad1D(1), SEQUENCES),
    "Pad2D": (lambda: nn.Pad2D(1), IMAGES),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), IMAGES),
    "PixelUnshuffle": (lambda: nn.PixelUnshuffle(2), IMAGES),
    "Fold": (lambda: nn.Fold([3, 4], 2), numbers(2, 4, 6)),
    "Unfold": (lambda: nn.Unfold(2), IMAGES),
    "GLU": (lambda: nn.GLU(), IMAGES),
    "PReLU": (lambda: nn.PReLU(4), IMAGES),
    "Sequential": (lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), ROWS),
    "MultiHeadAttention": (lambda: nn.MultiHeadAttention(8, 2), numbers(2, 5, 8)),
    "TransformerEncoderLayer": (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), numbers(2, 5, 8)),
    "TransformerEncoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2),
        numbers(2, 5, 8),
    ),
    "CTCLoss": (
        lambda: nn.CTCLoss(),
        numbers(6, 3, 4),
        MANY_LABELS,
        np.array([6, 4, 5]),
        np.array([3, 2, 3]),
    ),
    "CosineSimilarity": (lambda: nn.CosineSimilarity(), ROWS, numbers(4, 3)),
    "MSELoss": (lambda: nn.MSELoss(), ROWS, numbers(4, 3)),
    "L1Loss": (lambda: nn.L1Loss(), ROWS, numbers(4, 3)),
    "SmoothL1Loss": (lambda: nn.SmoothL1Loss(), ROWS, numbers(4, 3)),
    "CrossEntropyLoss": (lambda: nn.CrossEntropyLoss(), ROWS, LABELS),
    "NLLLoss": (lambda: nn.NLLLoss(), ROWS, LABELS),
    "BCELoss": (lambda: nn.BCELoss(), CHANCES, CHANCES[::-1]),
    "BCEWithLogitsLoss": (lambda: nn.BCEWithLogitsLoss(), ROWS, CHANCES),
    "KLDivLoss": (lambda: nn.KLDivLoss(), ROWS, CHANCES),
    "MarginRankingLoss": (lambda: nn.MarginRankingLoss(), ROWS, CHANCES, np.sign(ROWS)),
    "SimpleRNN": (lambda: nn.SimpleRNN(9, 3, num_layers=2), SEQUENCES),
    "LSTM": (lambda: nn.LSTM(9, 3, direction="bidirect"), SEQUENCES),
    "GRU": (lambda: nn.GRU(9, 3), SEQUENCES),
    "SimpleRNNCell": (lambda: nn.SimpleRNNCell(3, 2), ROWS),
    "LSTMCell": (lambda: nn.LSTMCell(3, 2), ROWS),
    "GRUCell": (lambda: nn.GRUCell(3, 2), ROWS),
}
CONTAINERS = {"RNNCellBase", "Layer", "LayerDict", "LayerList", "ParameterList"}
PLAIN = {
    name: (layer, ROWS)
    for name, layer in ((name, getattr(nn, name)) for name in nn.__all__)
    if inspect.isclass(layer)
    and issubclass(layer, nn.Layer)
    and layer.__name__ == name  # not another name of the same
    and name not in {*CONTAINERS, *(text.split()[0] for text in LAYERS)}
}
"""The rest are made without arguments: activations."""
ALL = LAYERS | PLAIN


def first_of(answer):
    """The outputs of a recurrent layer, which gives its states too."""
    return answer[0] if isinstance(answer, tuple) else answer


def eagerly(make, arrays):
    """Output, gradients of the inputs and of the parameters, and what the layer holds afterwards."""
    layer = make()
    inputs = [paddle.to_tensor(array, stop_gradient=array.dtype.kind != "f") for array in arrays]
    out = first_of(layer(*inputs))
    (out * out).sum().backward()
    grads = [one.grad for one in (*inputs, *layer.parameters()) if one.grad is not None]
    return [out.numpy(), *[grad.numpy() for grad in grads], *[one.numpy() for one in layer.parameters()]]


def in_a_program(make, arrays):
    """The same, with the first axis unknown."""
    layer = make()
    feed = {f"x{number}": array for number, array in enumerate(arrays)}
    inputs = [S.data(name, [-1, *array.shape[1:]], array.dtype.name) for name, array in feed.items()]
    for one, array in zip(inputs, arrays, strict=True):
        one.stop_gradient = array.dtype.kind != "f"
    out = first_of(layer(*inputs))
    wanted = [one for one in (*inputs, *layer.parameters()) if not one.stop_gradient]
    grads = [grad for grad in S.gradients((out * out).sum(), wanted) if grad is not None]
    exe = S.Executor()
    exe.run(S.default_startup_program())
    found = exe.run(feed=feed, fetch_list=[out, *grads])
    return [*found, *[np.array(one.get_value()) for one in layer.parameters()]]


@pytest.mark.parametrize("name", ALL)
def test_a_layer_computes_the_same_in_a_program(name):
    make, *arrays = ALL[name]
    with paddle.utils.unique_name.guard():
        paddle.seed(1)
        expected = eagerly(make, arrays)
    paddle.enable_static()
    try:
        with (
            S.program_guard(S.Program(), S.Program()),
            S.scope_guard(S.Scope()),
            paddle.utils.unique_name.guard(),
        ):
            paddle.seed(1)
            found = in_a_program(make, arrays)
    finally:
        paddle.disable_static()
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-5)
