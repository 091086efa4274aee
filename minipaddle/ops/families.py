"""Families: operators and functions that few scripts need; their files are loaded when somebody asks for them.

One line a file, and each name once. ``paddle.NAME``, ``x.NAME()``, ``x.NAME_()`` and, in Programs and recordings, the
operator's type lead to the file (:mod:`minipaddle.engine.core.later`). A file that is not here is loaded at once.
"""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """What a file of this room gives; names stand in a row."""

    file: str
    types: str = ""
    """Types of the operators that it defines."""
    names: str = ""
    """Functions of ``paddle`` that are methods, too."""
    functions: str = ""
    """Functions of ``paddle`` that are no methods."""
    methods: str = ""
    """Methods that are no functions of ``paddle``."""
    inplace: str = ""
    """Functions that have an in-place variant ``NAME_``, also as a function."""

    @property
    def home(self) -> str:
        """The module."""
        return f"minipaddle.ops.{self.file}"


FAMILIES: tuple[Family, ...] = (
    Family("fft.transform", types="fft_c2c fft_r2c fft_c2r"),
    Family(
        "linalg.cholesky",
        types="triangular_solve cholesky cholesky_solve",
        names="cholesky",
        methods="cholesky_inverse cholesky_solve",
    ),
    Family("linalg.eigen", types="eigh eigvalsh eig", names="eigvalsh", methods="eig eigvals"),
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
    Family("linalg.least_squares", types="lstsq", methods="lstsq"),
    Family("linalg.lu", types="lu lu_unpack", methods="lu lu_unpack"),
    Family("linalg.matrix", names="matrix_transpose"),
    Family("linalg.power", types="matrix_power matrix_exp multi_dot", methods="matrix_power multi_dot"),
    Family("linalg.qr", types="qr", methods="qr householder_product ormqr"),
    Family("linalg.svd", types="svd matrix_rank", methods="cond pca_lowrank pinv svd_lowrank"),
    Family("linalg.vectors", types="cross", names="cross", functions="vecdot"),
    Family("stat.covariance", methods="cov corrcoef"),
    Family("math.bessel", types="i0 i0e i1 i1e", names="i0 i0e i1 i1e sinc", inplace="i0 sinc"),
    Family(
        "math.gamma",
        types="lgamma gammaln digamma polygamma gammaincc",
        names="lgamma gammaln digamma polygamma gammainc gammaincc multigammaln",
        inplace="lgamma gammaln digamma polygamma gammainc gammaincc multigammaln",
    ),
    Family("math.quantile", types="erfinv logit", names="erfinv logit", inplace="erfinv logit"),
    Family("sampling.batch_size_like", types="uniform_random_batch_size_like"),
    # -- optimizers
    Family("updates.lamb", types="lamb"),
    # -- manipulation
    Family(
        "manipulation.diagonal",
        types="diagonal diagonal_at trace diag_v2 diag_embed fill_diagonal fill_diagonal_tensor",
        names="diag diag_embed diagflat diagonal diagonal_scatter trace",
        methods="fill_diagonal_tensor",
        inplace="fill_diagonal fill_diagonal_tensor",
    ),
    # -- mathematics
    Family(
        "math.complex_parts",
        types="complex as_complex as_real angle",
        names="as_complex as_real view_as_complex view_as_real angle isreal polar",
        functions="complex",
    ),
    Family(
        "math.hyperbolic", types="asinh acosh atanh", names="asinh acosh atanh", inplace="asinh acosh atanh"
    ),
    Family(
        "math.pairs",
        types="atan2 elementwise_heaviside copysign gcd nextafter bitwise_left_shift bitwise_right_shift",
        names="atan2 bitwise_left_shift bitwise_right_shift copysign gcd heaviside hypot lcm ldexp logaddexp nextafter",
        inplace="bitwise_left_shift bitwise_right_shift copysign gcd hypot lcm ldexp",
    ),
    Family(
        "math.parts",
        types="frexp signbit",
        names="deg2rad frac frexp isneginf isposinf nan_to_num negative positive rad2deg signbit",
        inplace="frac nan_to_num",
    ),
    Family("loss.ctc", types="warpctc"),
    Family(
        "nn.adaptive_pooling",
        types="adaptive_pool2d adaptive_pool2d_grad adaptive_pool3d adaptive_pool3d_grad",
    ),
    Family("vision.grid", types="affine_grid grid_sampler"),
    Family("search.shards", types="shard_index", names="shard_index"),
    Family("nn.pixels", types="pixel_shuffle pixel_unshuffle temporal_shift unfold fold"),
    Family(
        "nn.interpolate",
        types="linear_interp_v2 bilinear_interp_v2 trilinear_interp_v2 bicubic_interp_v2 nearest_interp_v2 "
        "interpolate_spread",
    ),
    Family("nn.max_places", types="max_pool2d_with_index max_pool3d_with_index places_read places_spread"),
    Family(
        "sampling.distributions",
        types="multinomial poisson standard_gamma binomial",
        names="multinomial",
        functions="binomial log_normal poisson rand_like randint_like randn_like standard_gamma",
    ),
    Family(
        "sampling.fill",
        types="uniform_random_inplace gaussian_random_inplace exponential random_inplace",
        names="bernoulli_ cauchy_ geometric_ log_normal_ normal_",
        methods="exponential_ random_ uniform_",
    ),
    Family(
        "manipulation.excerpts",
        types="crop_tensor",
        names="crop narrow permute ravel rot90 select_scatter slice slice_scatter strided_slice view_as",
    ),
    Family(
        "manipulation.grids",
        types="broadcast_tensors meshgrid multiplex",
        names="broadcast_shape broadcast_shapes broadcast_tensors combinations multiplex",
        functions="cartesian_prod meshgrid",
    ),
    Family(
        "manipulation.stacks",
        names="atleast_1d atleast_2d atleast_3d block_diag dsplit hsplit tensor_split unflatten vsplit",
        functions="column_stack dstack hstack row_stack vstack",
    ),
    Family(
        "indexing.reduce_along",
        types="reduce_along_axis meeting_along_axis",
        names="index_fill index_put masked_scatter scatter_add scatter_reduce take",
        inplace="index_fill index_put masked_scatter scatter_add",
    ),
    Family(
        "search.places",
        types="searchsorted kthvalue mode unique_consecutive",
        names="argwhere bucketize isin kthvalue mode msort unique_consecutive",
        functions="searchsorted",
    ),
    Family(
        "stat.running",
        types="cummax cummin logcumsumexp renorm",
        names="cummax cummin cumulative_trapezoid diff logcumsumexp reduce_as renorm trapezoid",
        inplace="renorm",
    ),
    Family(
        "linalg.distance",
        types="dist kron mv",
        names="baddbmm cdist dist kron mv tensordot",
        functions="pdist",
        inplace="baddbmm",
    ),
    Family(
        "stat.counts", types="bincount histogram", names="bincount histogram histogram_bin_edges histogramdd"
    ),
    Family(
        "stat.quantile",
        types="nanmedian nanmedian_min",
        names="median nanmean nanmedian nanquantile nansum quantile",
    ),
    Family(
        "aliases",
        names="bitwise_invert clamp div eq ge greater gt le less lt mul ne reverse sub swapdims take_along_dim "
        "true_divide",
        functions="cat concatenate ger",
        methods="add_n",
        inplace="acos addmm asin atan bitwise_and bitwise_invert bitwise_not bitwise_or bitwise_xor clamp cumprod "
        "cumsum div equal floor_mod greater_equal greater_than less less_equal less_than logical_xor mod mul not_equal "
        "sub",
    ),
    Family(
        "methods",
        functions="abs_ cast_ cos_ cosh_ divide_ erf_ expm1_ flatten_ floor_divide_ index_add_ log10_ log1p_ log2_ "
        "log_ logical_and_ logical_not_ logical_or_ masked_fill_ multiply_ neg_ pow_ remainder_ reshape_ scatter_ sin_ "
        "sinh_ square_ squeeze_ subtract_ t_ tan_ tanh_ transpose_ tril_ triu_ trunc_ unsqueeze_ where_",
    ),
    Family(
        "creation.new",
        names="vander",
        functions="logspace range tril_indices triu_indices",
        methods="new_empty new_full new_ones new_zeros",
    ),
    Family(
        "views.question",
        types="is_empty",
        names="is_complex is_empty is_floating_point is_integer",
        functions="clone tolist",
        methods="apply apply_ byte cdouble cfloat char data_ptr get_strides is_dense is_same_shape "
        "_is_shared_buffer_with _md5sum "
        "is_selected_rows is_sparse is_sparse_coo is_sparse_csr repeat requires_grad_ short split_with_sizes type_as",
    ),
    Family("views.bits", types="view_dtype"),
    Family(
        "storage",
        methods="complex128 complex64 cuda dense_dim float16 float32 float64 get_device int16 int32 int64 int8 resize_ "
        "scatter_nd set_ softmax sparse_dim uint8",
    ),
    Family("indexing.strided", types="as_strided strided_at", names="as_strided unfold"),
)
"""Every family, in the order of the rooms."""

INPLACE = {f"{name}_": one.home for one in FAMILIES for name in one.inplace.split()}
"""The module of the function that each in-place variant is of."""
HOMES = {
    **{name: one.home for one in FAMILIES for name in f"{one.names} {one.functions}".split()},
    **dict.fromkeys(INPLACE, "minipaddle.ops.methods"),
}
"""The module of each function of ``paddle``."""
METHODS = {name: one.home for one in FAMILIES for name in f"{one.names} {one.methods}".split()}
"""The module of each method."""
TYPES = {type: one.home for one in FAMILIES for type in one.types.split()}
"""The module of each operator."""
