"""What the operators give to the top of the namespace: ``paddle.exp``, ``paddle.concat`` and so on."""

from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.creation.cast import assign, cast
from minipaddle.ops.creation.convert import (
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from minipaddle.ops.creation.range import arange, eye, linspace
from minipaddle.ops.indexing.gather import gather, gather_nd, index_select, scatter_nd
from minipaddle.ops.indexing.scatter import index_add, scatter, scatter_nd_add
from minipaddle.ops.indexing.take_along_axis import index_sample, put_along_axis, take_along_axis
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.linalg.product import add_n, addmm, bmm, dot, inner, mm, outer
from minipaddle.ops.logic.compare import (
    allclose,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    equal,
    equal_all,
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
    where,
)
from minipaddle.ops.manipulation.concat import concat, stack
from minipaddle.ops.manipulation.flip import (
    flip,
    numel,
    rank,
    repeat_interleave,
    roll,
    shape,
    tile,
    tril,
    triu,
)
from minipaddle.ops.manipulation.split import chunk, split, unbind, unstack
from minipaddle.ops.math.arithmetic import (
    add,
    divide,
    floor_divide,
    floor_mod,
    increment,
    lerp,
    mod,
    multiply,
    neg,
    remainder,
    scale,
    subtract,
)
from minipaddle.ops.math.cumulative import cumprod, cumsum, prod
from minipaddle.ops.math.exponential import (
    erf,
    exp,
    expm1,
    log,
    log1p,
    log2,
    log10,
    reciprocal,
    rsqrt,
    sqrt,
    square,
)
from minipaddle.ops.math.minimum import clip, fmax, fmin, maximum, minimum
from minipaddle.ops.math.power import pow
from minipaddle.ops.math.rounding import abs, ceil, floor, round, sign, trunc
from minipaddle.ops.math.trigonometry import acos, asin, atan, cos, cosh, sin, sinh, stanh, tan, tanh
from minipaddle.ops.random.sample import (
    bernoulli,
    normal,
    rand,
    randint,
    randn,
    randperm,
    standard_normal,
    uniform,
)
from minipaddle.ops.reduction.broadcast import broadcast_to, expand, expand_as
from minipaddle.ops.reduction.sum import all, amax, amin, any, count_nonzero, max, mean, min, sum
from minipaddle.ops.search.sort import argmax, argmin, argsort, sort, topk, unique
from minipaddle.ops.search.where import masked_fill, masked_select, nonzero
from minipaddle.ops.stat.variance import logsumexp, norm, std, var
from minipaddle.ops.views.reshape import flatten, reshape, squeeze, unsqueeze, view
from minipaddle.ops.views.transpose import moveaxis, swapaxes, t, transpose
