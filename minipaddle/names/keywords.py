"""Keywords that functions of Paddle's take besides the parameters that they are written with.

Second names of parameters (``paddle.sum(input=x, dim=0)``), and wishes: what is to happen with the result (``out=``).
Which functions take which was measured; :mod:`minipaddle.core.calling.keywords` does it.
"""

from __future__ import annotations

from collections.abc import Iterable

_SECOND_NAMES = {
    "x=input": """
        abs acos acosh adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d asin asinh atan atanh ceil clamp
        clip conv1d conv2d conv3d cos cosh cumprod dropout embedding empty_like exp expm1 floor frac full_like gelu
        grid_sample interpolate is_complex is_floating_point isfinite isinf isnan log log10 log1p log2 log_sigmoid
        logical_not logsigmoid lp_pool1d lp_pool2d masked_select multinomial nonzero one_hot ones_like pad
        randn_like reshape round rsqrt sigmoid sign silu sin sinh softplus sqrt swapaxes swapdims tanh trace
        transpose tril triu zeros_like""",
    "x=input axis=dim": """
        all amax amin any argsort chunk cumsum diff fft glu hfft ifft ihfft index_select irfft logsumexp mean median
        prod quantile repeat_interleave rfft softmax squeeze sum topk unique_consecutive unsqueeze var""",
    "x=input axes=dim": """
        fft2 fftn fftshift hfft2 hfftn ifft2 ifftn ifftshift ihfft2 ihfftn irfft2 irfftn rfft2 rfftn""",
    "x=input y=other": """
        add bitwise_or div divide eq equal expand_as floor_divide floor_mod gcd ge greater greater_equal
        greater_than gt isclose lcm le less less_equal less_than logical_and logical_or logical_xor lt matmul
        maximum minimum mod mul multiply ne not_equal remainder sub subtract where""",
    "x=input axis=dim keepdim=keepdims": "argmax argmin",
    "x=input axis=dim epsilon=eps": "normalize",
    "x=input axis=dim value=source": "index_add",
    "x=input axis=dim shape=sizes": "unflatten",
    "x=input axis=dim num_or_indices=indices_or_sections num_or_indices=sections num_or_indices=indices": """
        tensor_split""",
    "x=input axis=dims": "roll",
    "x=input axis1=dim1 axis2=dim2": "diagonal",
    "x=input epsilon=eps": "group_norm layer_norm",
    "x=input repeat_times=dims": "tile",
    "x=input return_mask=return_indices": "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
    "x=input shape=size": "broadcast_to expand",
    "x=input sorted_sequence=boundaries": "bucketize",
    "x=input start_axis=start_dim stop_axis=end_dim": "flatten",
    "x=input threshold=lambd": "hardshrink softshrink",
    "x=input value=values": "index_put",
    "x=input x=A p=ord axis=dim": "norm",
    "x=input y=exponent": "pow",
    "x=input y=mat2": "bmm",
    "x=input y=tensor": "dot",
    "x=input y=vec2": "ger outer",
    "x=input output_sizes=output_size kernel_sizes=kernel_size strides=stride paddings=padding dilations=dilation": """
        fold Fold""",
    "arr=input axis=dim": "take_along_axis take_along_dim",
    "axis=dim": "CosineSimilarity GLU cosine_similarity cross unbind",
    "axis=dimension": "unfold",
    "dtype=type": "finfo",
    "epsilon=eps": "GroupNorm LayerNorm PairwiseDistance",
    "func=orig_func": "no_grad",
    "label=target": "cross_entropy",
    "lam=lambd": "exponential_",
    "min=from max=to": "uniform_",
    "num_rows=n num_columns=m": "eye",
    "p=ord axis=dim": "vector_norm",
    "return_mask=return_indices": "AdaptiveMaxPool1D AdaptiveMaxPool2D AdaptiveMaxPool3D",
    "shape=size": "empty full normal ones rand randn zeros",
    "stop=end num=steps": "linspace",
    "sublayers=modules": "LayerDict LayerList",
    "threshold=lambd": "Hardshrink Softshrink",
    "values=input": "searchsorted",
    "x=A y=B": "solve",
    "x=elements test_x=test_elements": "isin",
    "x=obj": "is_tensor",
    "x=tensors axis=dim": "cat concat concatenate stack",
    "x=x1 y=x2 epsilon=eps": "pairwise_distance",
}  # fmt: skip
_WISHES = {
    "out": """
        abs acos acosh add all amax amin any atanh bitwise_and bitwise_invert bitwise_not bitwise_or bitwise_xor bmm
        bucketize cat ceil clamp clip complex concat concatenate cos cosh cumprod cumsum diff div divide dot eq
        equal exp expm1 fft fft2 fftn floor floor_divide floor_mod frac gather ge ger greater greater_equal
        greater_than gt hfft hfft2 hfftn ifft ifft2 ifftn ihfft ihfft2 ihfftn index_add index_select irfft irfft2
        irfftn le less less_equal less_than log log10 log1p log2 logical_and logical_not logical_or logical_xor
        logsumexp lt masked_select matmul maximum mean median minimum mod msort mul multinomial multiply ne nonzero
        normal not_equal outer polar pow quantile remainder rfft rfft2 rfftn round rsqrt scatter searchsorted
        sigmoid sign sin sinh softmax solve sqrt stack sub subtract sum svd take_along_axis take_along_dim tanh topk
        tril triu true_divide var vector_norm where""",
    "device requires_grad": "asarray rand_like randn_like",
    "device requires_grad pin_memory": "empty_like full_like ones_like zeros_like",
    "out device requires_grad": "fftfreq linspace range rfftfreq standard_normal uniform",
    "out device requires_grad pin_memory": "arange empty eye full ones rand randn randperm zeros",
}

SECOND_NAMES = {
    name: {second: first for first, second in (pair.split("=") for pair in pairs.split())}
    for pairs, names in _SECOND_NAMES.items()
    for name in names.split()
}
"""The parameter that each second name means, by function or layer."""
WISHES = {name: wishes.split() for wishes, names in _WISHES.items() for name in names.split()}
"""The wishes that a function takes, in Paddle's order."""


def second_names(name: str, parameters: Iterable[str]) -> dict[str, str]:
    """Return what else the parameters of a function may be called: the second name, and the parameter that it means.

    >>> second_names("unfold", ["x", "axis", "size"]), second_names("unfold", ["x", "kernel_sizes"])
    ({'dimension': 'axis'}, {})
    """
    taken = set(parameters)
    return {
        second: first
        for second, first in SECOND_NAMES.get(name, {}).items()
        if first in taken and second not in taken
    }
