"""The printed forms of layers: recorded from Paddle 3.3.1."""

from pathlib import Path

import pytest

from minipaddle.paddle import nn

ONE_LINE = Path(__file__).with_name("reprs.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", ONE_LINE)
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
