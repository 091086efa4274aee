"""How numbers are made of the engine's words: by the rules of the C++ library that Paddle was built with, bit for bit.

`docs/parity.md` says what is not the same to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, failure, real_of
from minipaddle.ops.random.c_float_functions import erfinv, log
from minipaddle.ops.random.mersenne_twister import Engine

DType = np.dtype[Any]
_WORDS = 1 << 64
_ALL_ONES = _WORDS - 1
_BLOCK = 1 << 15  # numbers whose words and squares stay in the cache


def canonical(words: Array, kind: type[np.floating[Any]]) -> Array:
    """Return words as parts of 1, which is never reached."""
    parts: Array = words.astype(kind) / kind(_WORDS)
    return np.minimum(parts, np.nextafter(kind(1), kind(0)))


def points_of(parts: Array) -> Array:
    """Return parts of 1 as places between -1 and 1: coordinates in a square."""
    kind = parts.dtype.type
    return kind(2) * parts - kind(1)


def _in_blocks(draw: Callable[[int], Array], size: int, kind: type[np.floating[Any]]) -> Array:
    """Return `size` numbers of a stream: what ``draw(count)`` gives, a block at a time."""
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
    """Return numbers from [low, high), one word each: the word divided by 2**64 in the type that is asked for.

    Of complex numbers all real parts are drawn first.
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

    A pair of words is a point of a square; in the circle in it, it gives two numbers, else none. What is left of the
    last pair is forgotten. Of complex numbers the two parts share the variance.
    """
    if dtype.kind == "c":
        shared = float(np.float32(std / math.sqrt(2)))
        parts = normal(engine, (*shape, 2), real_of(dtype), mean, shared)
        return parts.view(dtype).reshape(shape)
    kind = dtype.type if dtype in (np.float32, np.float64) else np.float32

    def draw(count: int) -> Array:
        return _polar(engine, count, kind) * kind(std) + kind(mean)

    return _in_blocks(draw, math.prod(shape), kind).reshape(shape).astype(dtype, copy=False)


def _polar(engine: Engine, size: int, kind: type[np.floating[Any]]) -> Array:
    pairs = (size + 1) // 2
    seen = pairs
    while True:
        seen += seen * 7 // 25 + 64  # of the square, the circle is 0.785
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

    Probabilities are drawn between those of the two, and the numbers looked up that have them.
    """
    kind = np.float64 if dtype == np.float64 else np.float32
    ends = [float(kind((end - mean) / std)) / math.sqrt(2.0) for end in (low, high)]
    first, last = [kind((1.0 + math.erf(end)) / 2.0) for end in ends]
    smallest = float(np.finfo(kind).tiny)
    chances = first + (last - first) * uniform(engine, shape, np.dtype(kind), smallest, 1.0)
    found = erfinv(kind(2) * chances - kind(1)).astype(np.float64)
    return (math.sqrt(2.0) * found * std + mean).astype(dtype)


def integers(engine: Engine, shape: tuple[int, ...], dtype: DType, low: int, high: int) -> Array:
    """Return integers from `low` to before `high`, each as probable as any other."""
    offsets = _below(engine, math.prod(shape), high - low)
    return (offsets + np.uint64(low % _WORDS)).view(np.int64).astype(dtype).reshape(shape)


def permutation(engine: Engine, n: int) -> Array:
    """Return the integers from 0 to before `n` in random order: each swaps places with one that stands before it.

    Two of the places come from one word, while the square of `n` is less than a word.
    """
    order = list(range(n))
    for at, other in enumerate(_partners(engine, n), 1):
        order[at], order[other] = order[other], order[at]
    return np.array(order, np.int64)


def _partners(engine: Engine, n: int) -> list[int]:
    """Return with whom the second, the third, ... of `n` swap places."""
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
    """Return 1 with the probability that each element says, else 0."""
    if not ((chances >= 0) & (chances <= 1)).all():
        wrong = chances[~((chances >= 0) & (chances <= 1))][0]
        raise failure(
            IndexError,
            f"The probability should be <= 1 and >= 0, but got {wrong}.",
            "divide by the sum, or clip",
        )
    kind = np.float64 if chances.dtype == np.float64 else np.float32
    return (uniform(engine, chances.shape, np.dtype(kind)) < chances).astype(chances.dtype)


def categories(engine: Engine, chances: Array, count: int, replacement: bool) -> Array:
    """Return the numbers of `count` categories that have these chances; without `replacement` none comes twice."""
    if (chances < 0).any():
        raise failure(
            ValueError,
            f"The input of multinomial distribution should be >= 0, but got {chances[chances < 0][0]}.",
        )
    sums = np.cumsum(chances, dtype=chances.dtype)
    if not sums[-1] > 0:
        raise failure(
            ValueError,
            f"The sum of one multinomial distribution probability should be > 0, but got {sums[-1]}.",
        )
    if not replacement and np.count_nonzero(chances) < count:
        raise failure(
            ValueError,
            "When replacement is False, number of samples should be less than non-zero categories.",
            "draw fewer, or with replacement=True",
        )
    sums /= sums[-1]
    sums[-1] = 1
    parts = canonical(engine.take(count), chances.dtype.type)
    return np.searchsorted(sums, parts) if replacement else _without_return(sums, parts)


def _without_return(sums: Array, parts: Array) -> Array:
    """Take out what was drawn, and stretch the rest to 1."""
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
    """Return integers from 0 to before `ends`: a number, at most 2**64, or one for each.

    Words beyond the last whole multiple of an end are thrown away, so that no integer is more probable than another.
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
