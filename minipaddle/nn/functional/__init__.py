"""Functions for networks (``paddle.nn.functional``): activations, losses, convolutions and their like.

Every function takes the arguments of Paddle's function of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing
from minipaddle.nn.functional.activation import (
    celu,
    elu,
    elu_,
    gelu,
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    hardtanh_,
    leaky_relu,
    leaky_relu_,
    log_sigmoid,
    log_softmax,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    relu_,
    selu,
    sigmoid,
    sigmoid_,
    silu,
    softmax,
    softmax_,
    softplus,
    softshrink,
    softsign,
    stanh,
    swish,
    tanh,
    tanh_,
    tanhshrink,
    thresholded_relu,
    thresholded_relu_,
)
from minipaddle.nn.functional.classification import cross_entropy, nll_loss, softmax_with_cross_entropy
from minipaddle.nn.functional.common import (
    alpha_dropout,
    cosine_similarity,
    dropout,
    dropout2d,
    embedding,
    label_smooth,
    linear,
    one_hot,
    pad,
    zeropad2d,
)
from minipaddle.nn.functional.conv import (
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
)
from minipaddle.nn.functional.flash_attention import flash_attn_qkvpacked, scaled_dot_product_attention
from minipaddle.nn.functional.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    hinge_embedding_loss,
    kl_div,
    l1_loss,
    log_loss,
    margin_ranking_loss,
    mse_loss,
    smooth_l1_loss,
    square_error_cost,
)
from minipaddle.nn.functional.norm import batch_norm, layer_norm, normalize
from minipaddle.nn.functional.pooling import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)

LATER = homes(
    "minipaddle.nn.functional",
    {
        "adaptive_pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
        "adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d lp_pool1d lp_pool2d "
        "max_unpool1d max_unpool2d max_unpool3d",
        "random": "dropout1d dropout3d feature_alpha_dropout gumbel_softmax rrelu",
        "sequences": "class_center_sample edit_distance gather_tree",
        "upsampling": "interpolate upsample",
        "distance": "pairwise_distance",
        "likelihoods": "ctc_loss dice_loss gaussian_nll_loss npair_loss poisson_nll_loss sigmoid_focal_loss",
        "margins": "cosine_embedding_loss multi_label_margin_loss multi_label_soft_margin_loss "
        "multi_margin_loss soft_margin_loss triplet_margin_loss triplet_margin_with_distance_loss",
        "trees": "adaptive_log_softmax_with_loss hsigmoid_loss",
        "extension": "bilinear diag_embed embedding_renorm_ group_norm instance_norm local_response_norm maxout "
        "pdist rms_norm sequence_mask swiglu",
        "vision": "affine_grid channel_shuffle fold grid_sample pixel_shuffle pixel_unshuffle temporal_shift "
        "unfold",
    },
)
"""What few scripts need, and the file of each."""

__all__ = [
    "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "celu", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose",
    "conv3d", "conv3d_transpose", "cosine_similarity", "cross_entropy", "dropout", "dropout2d", "elu",
    "elu_", "embedding", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hinge_embedding_loss", "kl_div", "l1_loss", "label_smooth", "log_loss", "layer_norm",
    "leaky_relu", "leaky_relu_", "linear", "log_sigmoid", "log_softmax", "margin_ranking_loss",
    "max_pool1d", "max_pool2d", "max_pool3d", "mish", "mse_loss", "nll_loss", "normalize", "one_hot", "pad",
    "prelu", "relu", "relu6", "relu_", "scaled_dot_product_attention", "selu", "sigmoid", "sigmoid_",
    "silu", "smooth_l1_loss", "softmax", "softmax_", "softmax_with_cross_entropy", "softplus", "softshrink",
    "softsign", "square_error_cost", "stanh", "swish", "tanh", "tanh_", "tanhshrink", "thresholded_relu",
    "thresholded_relu_", "flash_attn_qkvpacked", "zeropad2d", "hardtanh_", "logsigmoid", *LATER,
]  # fmt: skip

guard_all(globals())
__getattr__ = later(globals(), LATER, missing(__name__, __all__))
