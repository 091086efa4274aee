"""Every operator, in the families of Paddle's documentation; this file has their names in ``paddle``.

Names that most scripts need are imported here; others are loaded on first use (:mod:`minipaddle.ops.families`).
"""

import minipaddle.ops.optimizer_steps
from minipaddle.engine.errors import guard_all
from minipaddle.engine.operator.lazy_loading import later
from minipaddle.engine.operator.operator import TABLE
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import (
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from minipaddle.ops.creation.range import arange, eye, linspace, range
from minipaddle.ops.families import HOMES, TYPES
from minipaddle.ops.indexing.gather import (
    gather,
    gather_nd,
    index_select,
    scatter,
    scatter_nd,
    scatter_nd_add,
    slice,
)
from minipaddle.ops.indexing.take_along_axis import index_sample, put_along_axis, take_along_axis
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.linalg.product import add_n, addmm, bmm, cross, dot, mm, mv, outer
from minipaddle.ops.logic.compare import (
    all,
    allclose,
    any,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    equal,
    greater_equal,
    greater_than,
    isclose,
    isfinite,
    isinf,
    isnan,
    less_equal,
    less_than,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from minipaddle.ops.manipulation.concat import cat, concat, hstack, stack, vstack
from minipaddle.ops.manipulation.diagonal import diag, diagonal, trace, tril, triu
from minipaddle.ops.manipulation.split import chunk, split, unbind
from minipaddle.ops.manipulation.tile import flip, repeat_interleave, roll, tile
from minipaddle.ops.math.arithmetic import add, divide, multiply, subtract
from minipaddle.ops.math.complex import as_complex, as_real, complex, conj, imag, real, sgn
from minipaddle.ops.math.cumulative import cumprod, cumsum, prod
from minipaddle.ops.math.exponential import (
    acos,
    asin,
    atan,
    cos,
    cosh,
    erf,
    exp,
    expm1,
    log,
    log1p,
    log2,
    reciprocal,
    rsqrt,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
)
from minipaddle.ops.math.maximum_minimum import clamp, clip, heaviside, maximum, minimum
from minipaddle.ops.math.power import pow
from minipaddle.ops.math.rounding import abs, ceil, floor, floor_divide, mod, remainder, round, sign
from minipaddle.ops.math.scale import increment, neg, scale
from minipaddle.ops.random.sample import (
    bernoulli,
    multinomial,
    normal,
    rand,
    randint,
    randint_like,
    randn,
    randperm,
    standard_normal,
    uniform,
)
from minipaddle.ops.reduction.minmax import amax, amin, max, min
from minipaddle.ops.reduction.sum import broadcast_to, expand, expand_as, mean, sum
from minipaddle.ops.search.sort import argmax, argmin, argsort, bincount, sort, topk, unique
from minipaddle.ops.search.where import masked_fill, masked_select, nan_to_num, nonzero, where
from minipaddle.ops.stat.norm import cdist, norm
from minipaddle.ops.stat.variance import logsumexp, std, var
from minipaddle.ops.views.reshape import flatten, reshape, squeeze, unsqueeze, view
from minipaddle.ops.views.shape_operators import (
    clone,
    is_complex,
    is_floating_point,
    is_integer,
    numel,
    rank,
    shape,
    tolist,
)
from minipaddle.ops.views.transpose import moveaxis, swapaxes, t, transpose

TABLE.later.update(TYPES)
guard_all(globals())
__getattr__ = later(globals(), HOMES)
del guard_all, later
