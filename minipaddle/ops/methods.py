"""Functions of ``paddle`` that are methods, too: ``x.mean()``, and in place ``x.add_(y)``.

A function whose first argument is a tensor is a method of Tensors and of Variables: Paddle's own habit. Which of them
have an in-place variant, a method of Tensors only, is Paddle's choice. Those that few scripts need are not written
here: they are loaded when they are asked for (:mod:`minipaddle.ops.families`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from minipaddle import ops
from minipaddle.engine.core.eager import current
from minipaddle.engine.core.later import load
from minipaddle.engine.core.operator import Operator
from minipaddle.engine.core.value import LaterMethod, Value
from minipaddle.engine.names.missing import MissingName
from minipaddle.engine.names.refused import REFUSED
from minipaddle.ops.families import METHODS
from minipaddle.ops.inplace import copies, inplace_variant
from minipaddle.ops.views.transpose import transpose


class Methods(Value):
    """What a Tensor and a Variable can be asked for by name."""

    __slots__ = ()

    @property
    def T(self) -> Any:
        """The value with its axes in reverse order."""
        if self.ndim == 1 and current.get().dynamic:
            return self
        return transpose(self, list(range(self.ndim))[::-1])

    def __getattr__(self, name: str) -> Any:
        """Say of a method that is refused on purpose why it is."""
        if (full := f"paddle.Tensor.{name}") in REFUSED:
            raise MissingName(full, list)
        return super().__getattribute__(name)  # which says that there is none, or why

    __abs__ = ops.abs
    __invert__ = ops.bitwise_not
    abs = ops.abs
    acos = ops.acos
    add = ops.add
    addmm = ops.addmm
    all = ops.all
    allclose = ops.allclose
    amax = ops.amax
    amin = ops.amin
    any = ops.any
    argmax = ops.argmax
    argmin = ops.argmin
    argsort = ops.argsort
    asin = ops.asin
    assign = ops.assign
    atan = ops.atan
    bernoulli = ops.bernoulli
    bitwise_and = ops.bitwise_and
    bitwise_not = ops.bitwise_not
    bitwise_or = ops.bitwise_or
    bitwise_xor = ops.bitwise_xor
    bmm = ops.bmm
    broadcast_to = ops.broadcast_to
    ceil = ops.ceil
    chunk = ops.chunk
    clip = ops.clip
    concat = ops.concat
    conj = ops.conj
    cos = ops.cos
    cosh = ops.cosh
    cumprod = ops.cumprod
    cumsum = ops.cumsum
    divide = ops.divide
    dot = ops.dot
    empty_like = ops.empty_like
    equal = ops.equal
    equal_all = ops.equal_all
    erf = ops.erf
    exp = ops.exp
    expand = ops.expand
    expand_as = ops.expand_as
    expm1 = ops.expm1
    flatten = ops.flatten
    flip = ops.flip
    floor = ops.floor
    floor_divide = ops.floor_divide
    full_like = ops.full_like
    gather = ops.gather
    gather_nd = ops.gather_nd
    greater_equal = ops.greater_equal
    greater_than = ops.greater_than
    imag = ops.imag
    increment = ops.increment
    index_sample = ops.index_sample
    index_select = ops.index_select
    inner = ops.inner
    isclose = ops.isclose
    isfinite = ops.isfinite
    isinf = ops.isinf
    isnan = ops.isnan
    lerp = ops.lerp
    less_equal = ops.less_equal
    less_than = ops.less_than
    log = ops.log
    log1p = ops.log1p
    logical_and = ops.logical_and
    logical_not = ops.logical_not
    logical_or = ops.logical_or
    logical_xor = ops.logical_xor
    logsumexp = ops.logsumexp
    masked_fill = ops.masked_fill
    masked_select = ops.masked_select
    matmul = ops.matmul
    max = ops.max
    maximum = ops.maximum
    mean = ops.mean
    min = ops.min
    minimum = ops.minimum
    mm = ops.mm
    mod = ops.mod
    moveaxis = ops.moveaxis
    multiply = ops.multiply
    mv = ops.mv
    neg = ops.neg
    nonzero = ops.nonzero
    norm = ops.norm
    not_equal = ops.not_equal
    numel = ops.numel
    ones_like = ops.ones_like
    outer = ops.outer
    pow = ops.pow
    prod = ops.prod
    put_along_axis = ops.put_along_axis
    rank = ops.rank
    real = ops.real
    reciprocal = ops.reciprocal
    remainder = ops.remainder
    repeat_interleave = ops.repeat_interleave
    reshape = ops.reshape
    roll = ops.roll
    round = ops.round
    rsqrt = ops.rsqrt
    scale = ops.scale
    scatter = ops.scatter
    scatter_nd_add = ops.scatter_nd_add
    sgn = ops.sgn
    sigmoid = ops.sigmoid
    sign = ops.sign
    sin = ops.sin
    sinh = ops.sinh
    sort = ops.sort
    split = ops.split
    sqrt = ops.sqrt
    square = ops.square
    squeeze = ops.squeeze
    stack = ops.stack
    std = ops.std
    subtract = ops.subtract
    sum = ops.sum
    swapaxes = ops.swapaxes
    t = ops.t
    take_along_axis = ops.take_along_axis
    tan = ops.tan
    tanh = ops.tanh
    tile = ops.tile
    topk = ops.topk
    transpose = ops.transpose
    tril = ops.tril
    triu = ops.triu
    unbind = ops.unbind
    unique = ops.unique
    unsqueeze = ops.unsqueeze
    unstack = ops.unstack
    var = ops.var
    view = ops.view
    where = ops.where
    zeros_like = ops.zeros_like


_transpose_into = inplace_variant(ops.transpose)


def t_(input: Value, name: str | None = None) -> Value:
    """In-place variant of ``t``: the axes change places; the version goes up by 1."""
    if copies("t"):
        return ops.t(input)
    wanted = ops.t(input).ndim  # which refuses more than two axes
    return _transpose_into(input, list(range(wanted))[::-1])


class InplaceMethods:
    """In-place variants: the result replaces the content of the Tensor, and its version goes up by 1."""

    __slots__ = ()

    t_ = t_


def __getattr__(name: str) -> Any:
    """Return an in-place variant as a function: ``paddle.abs_(x)`` is ``x.abs_()``."""
    return getattr(InplaceMethods, name)


INPLACE = """
    abs_ add_ cast_ ceil_ clamp_ clip_ cos_ divide_ exp_ flatten_ floor_ floor_divide_ lerp_ masked_fill_
    multiply_ neg_ pow_ put_along_axis_ reciprocal_ remainder_ reshape_ round_ rsqrt_ scale_ scatter_ sigmoid_
    sin_ sqrt_ square_ squeeze_ subtract_ tanh_ transpose_ tril_ triu_ unsqueeze_"""
"""The other in-place variants; each is made when it is asked for."""


def _inplace(name: str) -> Any:
    """Return the in-place variant of this name."""
    function = getattr(ops, name[:-1])
    method = inplace_variant(function.public if isinstance(function, Operator) else function)
    method.__name__ = method.__qualname__ = name  # also where it is a second name
    return method


for _name, _home in METHODS.items():
    setattr(Methods, _name, LaterMethod(Methods, _name, partial(load, _home)))
for _name in INPLACE.split():
    setattr(InplaceMethods, _name, LaterMethod(InplaceMethods, _name, _inplace))
