"""Functions for networks (``paddle.nn.functional``): activations, losses, convolutions and their like.

Every function takes the arguments of Paddle's function of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "activation": "elu_ gelu glu gumbel_softmax relu_ silu",
        "minipaddle.ops.activation.rectifiers": "elu hardsigmoid hardswish leaky_relu prelu relu relu6 selu softshrink",
        "minipaddle.ops.activation.sigmoids": "log_sigmoid mish sigmoid softplus softsign swish",
        "minipaddle.ops.activation.softmax": "log_softmax softmax",
        "minipaddle.ops.math.exponential": "tanh",
        "minipaddle.ops.loss.elementwise": "label_smooth log_loss",
        "adaptive_pooling": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
        "adaptive_max_pool2d adaptive_max_pool3d",
        "attention": "scaled_dot_product_attention",
        "classification": "cross_entropy nll_loss softmax_with_cross_entropy",
        "common": "cosine_similarity dropout dropout2d embedding linear one_hot pad",
        "conv": "conv1d conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose",
        "likelihoods": "ctc_loss sigmoid_focal_loss",
        "loss": "binary_cross_entropy binary_cross_entropy_with_logits kl_div l1_loss "
        "margin_ranking_loss mse_loss smooth_l1_loss square_error_cost",
        "norm": "batch_norm group_norm instance_norm layer_norm normalize",
        "pooling": "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d",
        "upsampling": "interpolate",
        "vision": "fold grid_sample pixel_shuffle pixel_unshuffle temporal_shift unfold",
    },
)
