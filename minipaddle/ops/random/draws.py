"""Random numbers from the engine's words, by the rules of Paddle's C++ library, bit for bit.

`docs/parity.md` lists results that differ in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, failure, invalid, real_of
from minipaddle.ops.random.mersenne_twister import Engine

DType = np.dtype[Any]
_WORDS = 1 << 64  # values of a word of 64 bits
_ALL_ONES = _WORDS - 1
_BLOCK = 1 << 15  # numbers whose words and squares stay in the cache


def canonical(words: Array, kind: type[np.floating[Any]]) -> Array:
    """Return words as fractions of 1, which is never reached."""
    parts: Array = words.astype(kind) / kind(_WORDS)
    return np.minimum(parts, np.nextafter(kind(1), kind(0)))


def points_of(parts: Array) -> Array:
    """Return fractions of 1 as numbers between -1 and 1: coordinates in a square."""
    kind = parts.dtype.type
    return kind(2) * parts - kind(1)


def _in_blocks(draw: Callable[[int], Array], size: int, kind: type[np.floating[Any]]) -> Array:
    """Return `size` numbers of a stream: ``draw(count)`` is called block by block."""
    if size <= _BLOCK:
        return draw(size)
    made = np.empty(size, kind)
    for start in range(0, size, _BLOCK):
        block = made[start : start + _BLOCK]
        block[:] = draw(len(block))
    return made


def uniform(
    engine: Engine, shape: tuple[int, ...], dtype: DType, low: float = 0.0, high: float = 1.0
) -> Array:
    """Return numbers from [low, high), one word each: the word divided by 2**64, in the given type.

    For complex numbers all real parts are drawn first.
    """
    if dtype.kind == "c":
        real, imaginary = uniform(engine, (2, *shape), real_of(dtype), low, high)
        return np.asarray(real + 1j * imaginary, dtype)
    kind = dtype.type if dtype in (np.float32, np.float64) else np.float32
    width, first = kind(high) - kind(low), kind(low)

    def draw(count: int) -> Array:
        return canonical(engine.take(count), kind) * width + first

    return _in_blocks(draw, math.prod(shape), kind).reshape(shape).astype(dtype, copy=False)


def normal(
    engine: Engine, shape: tuple[int, ...], dtype: DType, mean: float = 0.0, std: float = 1.0
) -> Array:
    """Return numbers of the normal distribution, by Marsaglia's polar method.

    A pair of words is a point in a square; a point in the circle inside gives two numbers, others none. The rest of the
    last pair is discarded. The two parts of complex numbers share the variance.
    """
    if dtype.kind == "c":
        shared = float(np.float32(std / math.sqrt(2)))
        return normal(engine, (*shape, 2), real_of(dtype), mean, shared).view(dtype).reshape(shape)
    kind = dtype.type if dtype in (np.float32, np.float64) else np.float32

    def draw(count: int) -> Array:
        return _polar(engine, count, kind) * kind(std) + kind(mean)

    return _in_blocks(draw, math.prod(shape), kind).reshape(shape).astype(dtype, copy=False)


def _polar(engine: Engine, size: int, kind: type[np.floating[Any]]) -> Array:
    pairs = (size + 1) // 2
    seen = pairs
    while True:
        seen += seen * 7 // 25 + 64  # the circle is 0.785 of the square
        points = points_of(canonical(engine.peek(2 * seen), kind))
        x, y = points[0::2], points[1::2]
        squares = x * x + y * y
        inside = np.flatnonzero((squares <= 1) & (squares != 0))
        if len(inside) >= pairs:
            break
    inside = inside[:pairs]
    engine.skip(2 * int(inside[-1]) + 2 if pairs else 0)
    r = squares[inside]
    scale = np.sqrt(kind(-2) * log(r) / r)
    return np.stack([y[inside] * scale, x[inside] * scale], axis=1).reshape(-1)[:size]


def truncated_normal(
    engine: Engine, shape: tuple[int, ...], dtype: DType, mean: float, std: float, low: float, high: float
) -> Array:
    """Return numbers of the part of a normal distribution between `low` and `high`.

    Probabilities are drawn between those of the bounds, and converted to numbers by the inverse distribution.
    """
    kind = np.float64 if dtype == np.float64 else np.float32
    ends = [float(kind((end - mean) / std)) / math.sqrt(2.0) for end in (low, high)]
    first, last = [kind((1.0 + math.erf(end)) / 2.0) for end in ends]
    smallest = float(np.finfo(kind).tiny)
    chances = first + (last - first) * uniform(engine, shape, np.dtype(kind), smallest, 1.0)
    found = erfinv(kind(2) * chances - kind(1)).astype(np.float64)
    return (math.sqrt(2.0) * found * std + mean).astype(dtype)


def integers(engine: Engine, shape: tuple[int, ...], dtype: DType, low: int, high: int) -> Array:
    """Return integers from `low` to before `high`, all equally probable."""
    offsets = _below(engine, math.prod(shape), high - low)
    return (offsets + np.uint64(low % _WORDS)).view(np.int64).astype(dtype).reshape(shape)


def permutation(engine: Engine, n: int) -> Array:
    """Return the integers from 0 to before `n` in random order: each is swapped with an earlier one.

    Two partners come from one word as long as the square of `n` fits into a word.
    """
    order = list(range(n))
    for at, other in enumerate(_partners(engine, n), 1):
        order[at], order[other] = order[other], order[at]
    return np.array(order, np.int64)


def _partners(engine: Engine, n: int) -> list[int]:
    """Return the swap partners of the second, the third, ... of `n`."""
    if n < 2:
        return []
    if _ALL_ONES // n < n:
        return [int(_below(engine, 1, at + 1)[0]) for at in range(1, n)]
    first = [int(_below(engine, 1, 2)[0])] if n % 2 == 0 else []
    sizes = np.arange(1 + len(first), n, 2, dtype=np.uint64) + np.uint64(1)
    both = _below(engine, len(sizes), sizes * (sizes + np.uint64(1)))
    pairs = np.stack([both // (sizes + np.uint64(1)), both % (sizes + np.uint64(1))], axis=1)
    return first + [int(one) for one in pairs.reshape(-1)]


def bernoulli(engine: Engine, chances: Array) -> Array:
    """Return 1 with the probability in each element, else 0."""
    wrong = chances[~((chances >= 0) & (chances <= 1))]
    if wrong.size:
        words = f"The probability should be <= 1 and >= 0, but got {wrong[0]}."
        raise failure(IndexError, words, "divide by the sum, or clip")
    kind = np.float64 if chances.dtype == np.float64 else np.float32
    return (uniform(engine, chances.shape, np.dtype(kind)) < chances).astype(chances.dtype)


def categories(engine: Engine, chances: Array, count: int, replacement: bool) -> Array:
    """Return the indices of `count` categories with these chances; without `replacement` none repeats."""
    if (chances < 0).any():
        raise invalid(
            f"The input of multinomial distribution should be >= 0, but got {chances[chances < 0][0]}."
        )
    sums = np.cumsum(chances, dtype=chances.dtype)
    if not sums[-1] > 0:
        raise invalid(
            f"The sum of one multinomial distribution probability should be > 0, but got {sums[-1]}."
        )
    if not replacement and np.count_nonzero(chances) < count:
        raise invalid(
            "When replacement is False, number of samples should be less than non-zero categories.",
            "draw fewer, or with replacement=True",
        )
    sums /= sums[-1]
    sums[-1] = 1
    parts = canonical(engine.take(count), chances.dtype.type)
    return np.searchsorted(sums, parts) if replacement else _without_return(sums, parts)


def _without_return(sums: Array, parts: Array) -> Array:
    """Return the sums of chances without the drawn categories, rescaled to 1."""
    found = np.empty(len(parts), np.int64)
    for draw, part in enumerate(parts):
        found[draw] = one = np.searchsorted(sums, part)
        chance = sums[one] - (sums[one - 1] if one else 0)
        sums[one:] -= chance
        if draw + 1 < len(parts):
            sums /= sums.dtype.type(1.0 - float(chance))
            sums[-1] = 1
    return found


def _below(engine: Engine, count: int, ends: Any) -> Array:
    """Return integers from 0 to before `ends`: one end, at most 2**64, or one for each.

    Words beyond the last whole multiple of an end are discarded, so that all integers are equally probable.
    """
    if not isinstance(ends, np.ndarray) and ends == _WORDS:
        return engine.take(count)
    ends = np.asarray(ends, np.uint64)
    sizes = np.uint64(_ALL_ONES) // ends
    past = sizes * ends
    words = engine.peek(count)
    if (words < past).all():
        engine.skip(count)
        made: Array = words // sizes
        return made
    both = zip(*np.broadcast_arrays(sizes, past, words)[:2], strict=True)
    return np.array([_one_below(engine, *one) for one in both], np.uint64)


def _one_below(engine: Engine, size: Any, past: Any) -> Any:
    while True:
        (word,) = engine.take(1)
        if word < past:
            return word // size


_INVERSES_AND_LOGS = """
0x1.661ec79f8f3bep+0 -0x1.57bf7808caadep-2  0x1.571ed4aaf883dp+0 -0x1.2bef0a7c06ddbp-2
0x1.49539f0f010bp+0  -0x1.01eae7f513a67p-2  0x1.3c995b0b80385p+0 -0x1.b31d8a68224e9p-3
0x1.30d190c8864a5p+0 -0x1.6574f0ac07758p-3  0x1.25e227b0b8eap+0  -0x1.1aa2bc79c81p-3
0x1.1bb4a4a1a343fp+0 -0x1.a4e76ce8c0e5ep-4  0x1.12358f08ae5bap+0 -0x1.1973c5a611cccp-4
0x1.0953f419900a7p+0 -0x1.252f438e10c1ep-5  0x1p+0               0x0p+0
0x1.e608cfd9a47acp-1 0x1.aa5aa5df25984p-5   0x1.ca4b31f026aap-1  0x1.c5e53aa362eb4p-4
0x1.b2036576afce6p-1 0x1.526e57720db08p-3   0x1.9c2d163a1aa2dp-1 0x1.bc2860d22477p-3
0x1.886e6037841edp-1 0x1.1058bc8a07ee1p-2   0x1.767dcf5534862p-1 0x1.4043057b6ee09p-2
"""
_INVERSES, _LOGS = (
    np.array([float.fromhex(one) for one in _INVERSES_AND_LOGS.split()]).reshape(16, 2).T.copy()
)
_CUBIC = [
    float.fromhex(one) for one in ("-0x1.ffffef20a4123p-2", "0x1.5575b0be00b6ap-2", "-0x1.00ea348b88334p-2")
]
_FIRST = np.int32(0x3F330000)
"""The bits of the number at which the sixteen parts of an octave begin."""

_AT_ONCE = 1 << 13  # numbers whose temporaries stay in the cache

_NEAR = (
    (1.1975323115670912564578e0, 4.7072688112383978012285e1, 6.9706266534389598238465e2, 4.8548868893843886794648e3,
     1.6235862515167575384252e4, 2.3782041382114385731252e4, 1.1819493347062294404278e4, 8.8709406962545514830200e2),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
_FAR = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.4142135623730950488016887e0, 2.9036514445419946173133295e0, 2.3707661626024532365971225e0,
     9.7547832001787427186894837e-1, 2.0945065210512749128288442e-1, 2.1494160384252876777097297e-2,
     7.7441459065157709165577218e-4, 1.4859850019840355905497876e-9),
)  # fmt: skip


def log(x: Array) -> Array:
    """Return the natural logarithm of numbers above 0, rounded as the C library of Linux rounds it."""
    if x.dtype != np.float32:
        found: Array = np.log(x)
        return found
    made = np.empty(x.shape, np.float32)
    numbers, results = np.ascontiguousarray(x).reshape(-1), made.reshape(-1)
    for start in range(0, x.size, _AT_ONCE):  # as many as fit into the processor's cache
        part = slice(start, start + _AT_ONCE)
        results[part] = _single_log(numbers[part])
    return made


def _single_log(x: Array) -> Array:
    bits = x.view(np.int32)
    steps = bits - _FIRST
    octave = steps >> 23
    part = (steps >> 19) & 15
    r = (bits - (octave << 23)).view(np.float32) * _INVERSES.take(part)
    r -= 1
    low = _CUBIC[1] * r + _CUBIC[0]
    octaves: Array = octave * math.log(2) + _LOGS.take(part)
    octaves += r
    r *= r
    low += _CUBIC[2] * r
    low *= r
    low += octaves
    return low


def erfinv(x: Array) -> Array:
    """Return the inverse of the error function, for results below 5 in absolute value."""
    kind = x.dtype.type
    size = np.abs(x)
    wide = size.astype(np.float64)
    r = (0.180625 - 0.25 * wide * wide).astype(kind)
    near = size * _polynomial(_NEAR[0], r) / _polynomial(_NEAR[1], r)
    with np.errstate(divide="ignore"):
        r = (np.sqrt(math.log(2) - np.log(1.0 - wide)).astype(kind).astype(np.float64) - 1.6).astype(kind)
    far = _polynomial(_FAR[0], r) / _polynomial(_FAR[1], r)
    return np.copysign(np.where(size <= 0.85, near, far), x)


def _polynomial(factors: tuple[float, ...], x: Array) -> Array:
    """Return the sum of factors times powers of `x`, in the type of `x`."""
    kind = x.dtype.type
    total = kind(factors[-1])
    for factor in reversed(factors[:-1]):
        total = total * x + kind(factor)
    return total
