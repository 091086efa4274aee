"""Which operators compute in float16 under ``auto_cast``, and which never do: Paddle's own lists."""

from __future__ import annotations

from collections.abc import Iterable

_WHITE = "conv2d einsum linear_v2 matmul matmul_v2 max_pool2d_with_index mul"
"""Cast to the low type: fast there, and safe."""
_BLACK = """
    acos asin atanh cosh cross_entropy cross_entropy2 cumprod cumsum dist erfinv exp expm1 frobenius_norm group_norm
    hsigmoid_loss huber_loss layer_norm log log10 log2 log_loss log_softmax margin_cross_entropy mean nll_loss pnorm pow
    reciprocal reduce_mean reduce_prod reduce_sum renorm rsqrt sigmoid_cross_entropy_with_logits sinh softmax
    softmax_with_cross_entropy softmin softplus square tan tanh_shrink triplet_margin_loss
    """
"""Cast to float32 in level O1: sums, powers and logarithms overflow or lose too much."""
_ALWAYS_BLACK = """
    bicubic_interp_v2 bilinear_interp_v2 linear_interp_v2 lookup_table lookup_table_v2 nearest_interp_v2 scatter
    trilinear_interp_v2
    """
"""Cast to float32 in every level."""


def lists(
    level: str, dtype: str, white: Iterable[str] | None = None, black: Iterable[str] | None = None
) -> tuple[frozenset[str], frozenset[str]]:
    """Return which operators are cast down and which up; what `white` and `black` name changes sides.

    Raises:
        ValueError: **Custom white list overlap custom black list**.
    """
    down = frozenset(_WHITE.split())
    up = frozenset((_ALWAYS_BLACK + (_BLACK if level == "O1" else "")).split())
    own_down, own_up = frozenset(white or ()), frozenset(black or ())
    if own_down & own_up:
        raise ValueError("Custom white list overlap custom black list")
    return (down | own_down) - own_up, (up | own_up) - own_down
