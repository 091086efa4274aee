"""The printed forms of layers: recorded from Paddle 3.3.1."""

import pytest

from minipaddle.paddle import nn

ONE_LINE = """
Linear(3, 4) -> Linear(in_features=3, out_features=4, dtype=float32)
Conv2D(1, 6, 5, padding=2) -> Conv2D(1, 6, kernel_size=[5, 5], padding=2, data_format=NCHW)
Conv2DTranspose(1, 2, 3) -> Conv2DTranspose(1, 2, kernel_size=[3, 3], data_format=NCHW)
Conv1D(1, 2, 3) -> Conv1D(1, 2, kernel_size=[3], data_format=NCL)
ReLU() -> ReLU()
ReLU(True) -> ReLU(name=True)
LeakyReLU(0.2, "slow") -> LeakyReLU(negative_slope=0.2, name=slow)
Dropout(0.5, name="a") -> Dropout(p=0.5, axis=None, mode=upscale_in_train, name=a, inplace=False)
Dropout2D(0.5, name="a") -> Dropout2D(p=0.5, data_format=NCHW, name=a)
PixelShuffle(2, name="a") -> PixelShuffle(upscale_factor=2, name=a)
GELU() -> GELU(approximate=False)
GELU(True) -> GELU(approximate=True)
LeakyReLU() -> LeakyReLU(negative_slope=0.01)
ELU() -> ELU(alpha=1.0)
SELU() -> SELU(scale=1.0507009873554805, alpha=1.6732632423543772)
Softmax() -> Softmax(axis=-1)
LogSoftmax() -> LogSoftmax(axis=-1)
GLU() -> GLU(axis=-1)
Sigmoid() -> Sigmoid()
LogSigmoid() -> LogSigmoid()
Tanh() -> Tanh()
Hardsigmoid() -> Hardsigmoid()
Hardswish() -> Hardswish()
Softshrink() -> Softshrink(threshold=0.5)
Softplus() -> Softplus(beta=1, threshold=20)
ReLU6() -> ReLU6()
Silu() -> Silu(inplace=False)
Softsign() -> Softsign()
Swish() -> Swish()
Mish() -> Mish()
PReLU() -> PReLU(num_parameters=1, data_format=NCHW, init=0.25, dtype=float32)
Dropout(0.5) -> Dropout(p=0.5, axis=None, mode=upscale_in_train, inplace=False)
Dropout2D() -> Dropout2D(p=0.5, data_format=NCHW)
Embedding(4, 3) -> Embedding(4, 3, sparse=False, scale_grad_by_freq=False)
Embedding(4, 3, padding_idx=1) -> Embedding(4, 3, padding_idx=1, sparse=False, scale_grad_by_freq=False)
LayerNorm(4) -> LayerNorm(normalized_shape=[4], epsilon=1e-05)
LayerNorm([3, 4]) -> LayerNorm(normalized_shape=[3, 4], epsilon=1e-05)
BatchNorm1D(3) -> BatchNorm1D(num_features=3, momentum=0.9, epsilon=1e-05, data_format=NCL)
BatchNorm2D(3, momentum=0.8) -> BatchNorm2D(num_features=3, momentum=0.8, epsilon=1e-05)
BatchNorm(3) -> BatchNorm()
GroupNorm(2, 4) -> GroupNorm(num_groups=2, num_channels=4, epsilon=1e-05)
InstanceNorm2D(3) -> InstanceNorm2D(num_features=3, epsilon=1e-05)
Flatten() -> Flatten()
Identity() -> Identity()
Pad2D([1, 2, 3, 4]) -> Pad2D(padding=[1, 2, 3, 4], mode=constant, value=0.0, data_format=NCHW)
MaxPool2D(2) -> MaxPool2D(kernel_size=2, stride=None, padding=0)
MaxPool2D(3, 2, 1) -> MaxPool2D(kernel_size=3, stride=2, padding=1)
AvgPool2D(2) -> AvgPool2D(kernel_size=2, stride=None, padding=0)
MaxPool1D(2) -> MaxPool1D(kernel_size=2, stride=None, padding=0)
AvgPool1D(2) -> AvgPool1D(kernel_size=2, stride=None, padding=0)
AdaptiveAvgPool2D(1) -> AdaptiveAvgPool2D(output_size=1)
AdaptiveAvgPool2D((1, None)) -> AdaptiveAvgPool2D(output_size=(1, None))
AdaptiveMaxPool2D(2) -> AdaptiveMaxPool2D(output_size=2, return_mask=False)
CrossEntropyLoss() -> CrossEntropyLoss()
BCEWithLogitsLoss() -> BCEWithLogitsLoss()
CosineSimilarity() -> CosineSimilarity(axis=1, eps=1e-08)
"""


@pytest.mark.parametrize("line", ONE_LINE.strip().splitlines())
def test_one_line(line):
    call, _, text = line.partition(" -> ")
    assert repr(eval(f"nn.{call}")) == text


def test_options_of_a_convolution():
    conv = nn.Conv2D(2, 4, (3, 2), stride=2, groups=2, dilation=2, bias_attr=False, padding_mode="reflect")
    assert repr(conv) == (
        "Conv2D(2, 4, kernel_size=[3, 2], stride=[2, 2], padding_mode=reflect, dilation=[2, 2], groups=2, "
        "data_format=NCHW)"
    )


NESTED = """\
TransformerEncoderLayer(
  (self_attn): MultiHeadAttention(
    (q_proj): Linear(in_features=4, out_features=4, dtype=float32)
    (k_proj): Linear(in_features=4, out_features=4, dtype=float32)
    (v_proj): Linear(in_features=4, out_features=4, dtype=float32)
    (out_proj): Linear(in_features=4, out_features=4, dtype=float32)
  )
  (linear1): Linear(in_features=4, out_features=8, dtype=float32)
  (dropout): Dropout(p=0.1, axis=None, mode=upscale_in_train, inplace=False)
  (linear2): Linear(in_features=8, out_features=4, dtype=float32)
  (norm1): LayerNorm(normalized_shape=[4], epsilon=1e-05)
  (norm2): LayerNorm(normalized_shape=[4], epsilon=1e-05)
  (dropout1): Dropout(p=0.1, axis=None, mode=upscale_in_train, inplace=False)
  (dropout2): Dropout(p=0.1, axis=None, mode=upscale_in_train, inplace=False)
)"""


def test_sublayers_are_indented():
    assert repr(nn.TransformerEncoderLayer(4, 2, 8)) == NESTED
    assert repr(nn.LayerDict({"a": nn.ReLU()})) == "LayerDict(\n  (a): ReLU()\n)"


def test_extra_lines_and_sublayers_stand_side_by_side():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.act = nn.ReLU()

        def extra_repr(self):
            return "size=3"

    assert repr(Net()) == "Net(size=3\n  (act): ReLU()\n)"
