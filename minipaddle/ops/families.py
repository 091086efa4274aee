"""Families: operators and functions that few scripts need; their files are loaded on first use.

One line per file, and each name once. ``paddle.NAME``, ``x.NAME()`` and, in Programs and recordings, the
operator's type lead to the file (engine/operator/lazy_loading.py). A file that is not listed is loaded at once.
"""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """The names that one file defines, separated by spaces."""

    file: str
    types: str = ""
    """Types of the operators that it defines."""
    names: str = ""
    """Functions of ``paddle`` that are also methods."""
    functions: str = ""
    """Functions of ``paddle`` that are not methods."""
    methods: str = ""
    """Methods that are not functions of ``paddle``."""

    @property
    def home(self) -> str:
        """The module."""
        return f"minipaddle.ops.{self.file}"


FAMILIES: tuple[Family, ...] = (
    Family("loss.cross_entropy", types="softmax_with_cross_entropy softmax_with_cross_entropy_slope"),
    Family(
        "loss.elementwise",
        types="bce_loss huber_loss kldiv_loss label_smooth log_loss sigmoid_cross_entropy_with_logits",
    ),
    Family("loss.nll", types="nll_loss nll_loss_spread"),
    Family(
        "nn.conv",
        types="conv2d conv2d_filter_grad conv2d_transpose conv3d conv3d_filter_grad conv3d_transpose",
    ),
    Family("nn.dropout", types="dropout"),
    Family("nn.pooling", types="pool2d pool2d_pick pool2d_spread pool3d pool3d_pick pool3d_spread"),
    Family("activation.softmax", types="log_softmax softmax"),
    Family("nn.embedding", types="lookup_table_v2 lookup_table_v2_grad_rows one_hot_v2"),
    Family("fft.functions", types="fft_c2c fft_r2c fft_c2r"),
    Family("linalg.cholesky", types="triangular_solve cholesky qr", names="cholesky", methods="qr"),
    Family("activation.random", types="gumbel_softmax gumbel_softmax_hard"),
    Family("nn.group_norm", types="group_norm instance_norm"),
    Family("recurrent.rnn", types="gru lstm simple_rnn"),
    Family("linalg.einsum", types="einsum", functions="einsum"),
    Family(
        "linalg.inverse",
        types="inverse determinant cofactors slogdeterminant solve",
        names="inverse",
        methods="slogdet solve",
    ),
    Family("linalg.svd", types="eigh svd"),
    Family("loss.ctc", types="warpctc"),
    Family("grid_sample", types="grid_sampler"),
    Family("nn.pixels", types="pixel_shuffle pixel_unshuffle temporal_shift unfold fold"),
    Family(
        "nn.interpolate",
        types="linear_interp_v2 bilinear_interp_v2 trilinear_interp_v2 bicubic_interp_v2 nearest_interp_v2 "
        "interpolate_spread",
    ),
    Family(
        "nn.max_places",
        types="adaptive_pool2d adaptive_pool2d_grad adaptive_pool3d adaptive_pool3d_grad max_pool2d_with_index "
        "max_pool3d_with_index places_read places_spread",
    ),
    Family("manipulation.grids", types="meshgrid", names="broadcast_shape", functions="meshgrid"),
    Family("stat.median", names="median"),
    Family(
        "methods",
        functions="abs_ cast_ clamp_ cos_ divide_ flatten_ floor_divide_ masked_fill_ multiply_ neg_ pow_ remainder_ "
        "reshape_ scatter_ sin_ square_ squeeze_ subtract_ t_ tanh_ transpose_ tril_ triu_ unsqueeze_",
    ),
)
"""Every family, in the order of the rooms."""

HOMES = {name: one.home for one in FAMILIES for name in f"{one.names} {one.functions}".split()}
"""The module of each function of ``paddle``."""
METHODS = {name: one.home for one in FAMILIES for name in f"{one.names} {one.methods}".split()}
"""The module of each method."""
TYPES = {type: one.home for one in FAMILIES for type in one.types.split()}
"""The module of each operator."""
