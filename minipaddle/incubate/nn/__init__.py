"""paddle.incubate.nn: layers that Paddle computes in one kernel on a GPU, here as what they mean."""

from minipaddle.core.errors import guard_all
from minipaddle.incubate.nn import functional
from minipaddle.incubate.nn.attention import (
    FusedBiasDropoutResidualLayerNorm,
    FusedFeedForward,
    FusedMultiHeadAttention,
    FusedTransformerEncoderLayer,
)
from minipaddle.incubate.nn.linear import FusedDropout, FusedDropoutAdd, FusedLinear
from minipaddle.names.missing import missing

__all__ = [
    "FusedBiasDropoutResidualLayerNorm",
    "FusedDropout",
    "FusedDropoutAdd",
    "FusedFeedForward",
    "FusedLinear",
    "FusedMultiHeadAttention",
    "FusedTransformerEncoderLayer",
    "functional",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
