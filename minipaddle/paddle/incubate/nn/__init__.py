"""paddle.incubate.nn: layers that Paddle computes in one kernel on a GPU, here as what they mean."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.incubate.nn import functional

__all__ = ["functional"]
__getattr__ = front(
    globals(),
    {
        "attention": """FusedBiasDropoutResidualLayerNorm FusedFeedForward FusedMultiHeadAttention
        FusedTransformerEncoderLayer""",
        "linear": "FusedDropout FusedDropoutAdd FusedLinear",
    },
)
