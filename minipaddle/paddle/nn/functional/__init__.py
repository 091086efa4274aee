"""Functions for networks (``paddle.nn.functional``): activations, losses, convolutions and their like.

Every function takes the arguments of Paddle's function of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.later import front
from minipaddle.paddle.nn.functional.activation import (
    elu,
    elu_,
    gelu,
    glu,
    hardsigmoid,
    hardswish,
    leaky_relu,
    log_sigmoid,
    log_softmax,
    mish,
    prelu,
    relu,
    relu6,
    relu_,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    softshrink,
    softsign,
    swish,
    tanh,
)
from minipaddle.paddle.nn.functional.attention import scaled_dot_product_attention
from minipaddle.paddle.nn.functional.classification import cross_entropy, nll_loss, softmax_with_cross_entropy
from minipaddle.paddle.nn.functional.common import (
    cosine_similarity,
    dropout,
    dropout2d,
    embedding,
    label_smooth,
    linear,
    one_hot,
    pad,
)
from minipaddle.paddle.nn.functional.conv import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
)
from minipaddle.paddle.nn.functional.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    kl_div,
    l1_loss,
    log_loss,
    margin_ranking_loss,
    mse_loss,
    smooth_l1_loss,
    square_error_cost,
)
from minipaddle.paddle.nn.functional.norm import batch_norm, layer_norm, normalize
from minipaddle.paddle.nn.functional.pooling import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)

__all__ = [
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose",
    "conv3d", "conv3d_transpose", "cosine_similarity", "cross_entropy", "dropout", "dropout2d", "elu",
    "elu_", "embedding", "gelu", "glu", "hardsigmoid", "hardswish", "kl_div",
    "l1_loss", "label_smooth", "layer_norm", "leaky_relu", "linear", "log_loss", "log_sigmoid",
    "log_softmax", "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d", "mish", "mse_loss",
    "nll_loss", "normalize", "one_hot", "pad", "prelu", "relu", "relu6", "relu_",
    "scaled_dot_product_attention", "selu", "sigmoid", "silu", "smooth_l1_loss", "softmax",
    "softmax_with_cross_entropy", "softplus", "softshrink", "softsign", "square_error_cost", "swish",
    "tanh",
]  # fmt: skip
__getattr__ = front(
    globals(),
    {
        "adaptive_pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
        "adaptive_max_pool2d adaptive_max_pool3d",
        "image_norm": "group_norm instance_norm",
        "gumbel": "gumbel_softmax",
        "upsampling": "interpolate",
        "likelihoods": "ctc_loss sigmoid_focal_loss",
        "vision": "affine_grid fold grid_sample pixel_shuffle pixel_unshuffle temporal_shift unfold",
    },
)
