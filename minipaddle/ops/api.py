"""What the operators give to the top of the namespace: ``paddle.exp``, ``paddle.concat`` and so on."""

from minipaddle.ops.along import index_sample, put_along_axis, take_along_axis
from minipaddle.ops.casting import assign, cast
from minipaddle.ops.creation import empty, empty_like, full, full_like, ones, ones_like, zeros, zeros_like
from minipaddle.ops.elementwise import (
    add,
    divide,
    floor_divide,
    floor_mod,
    lerp,
    mod,
    multiply,
    neg,
    remainder,
    scale,
    subtract,
)
from minipaddle.ops.expanding import broadcast_to, expand, expand_as
from minipaddle.ops.extrema import clip, fmax, fmin, maximum, minimum
from minipaddle.ops.gathering import gather, gather_nd, index_select, scatter_nd
from minipaddle.ops.joining import concat, stack
from minipaddle.ops.linear import add_n, addmm, bmm, dot, inner, mm, outer
from minipaddle.ops.logic import (
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
from minipaddle.ops.masking import masked_fill, masked_select
from minipaddle.ops.math import erf, exp, expm1, log, log1p, log2, log10, reciprocal, rsqrt, sqrt, square
from minipaddle.ops.matrix import matmul
from minipaddle.ops.ordering import argmax, argmin, argsort, sort, topk, unique
from minipaddle.ops.power import pow
from minipaddle.ops.rearranging import flip, numel, rank, repeat_interleave, roll, shape, tile, tril, triu
from minipaddle.ops.reduction import all, amax, amin, any, count_nonzero, max, mean, min, sum
from minipaddle.ops.rounding import abs, ceil, floor, round, sign, trunc
from minipaddle.ops.sampling import (
    bernoulli,
    normal,
    rand,
    randint,
    randn,
    randperm,
    standard_normal,
    uniform,
)
from minipaddle.ops.scanning import cumprod, cumsum, prod
from minipaddle.ops.scattering import index_add, scatter, scatter_nd_add
from minipaddle.ops.searching import nonzero
from minipaddle.ops.sequences import arange, eye, linspace
from minipaddle.ops.shaping import flatten, reshape, squeeze, unsqueeze, view
from minipaddle.ops.sigmoids import sigmoid
from minipaddle.ops.splitting import chunk, split, unbind, unstack
from minipaddle.ops.statistics import logsumexp, norm, std, var
from minipaddle.ops.stepping import increment
from minipaddle.ops.transposing import moveaxis, swapaxes, t, transpose
from minipaddle.ops.trigonometry import acos, asin, atan, cos, cosh, sin, sinh, stanh, tan, tanh
