"""Numbers drawn one after another, because how many words each takes depends on the words: Poisson, gamma, binomial.

Poisson is that of the C++ library of Paddle's builds (Devroye's rejection from 12 on), gamma and binomial are Paddle's
own (Marsaglia and Tsang; Hörmann's transformed rejection).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array
from minipaddle.ops.random.draws import canonical, points_of
from minipaddle.ops.random.engine import Engine
from minipaddle.ops.random.libm import log

_MOST = 1 << 16
_QUARTER_PI = 0.7853981633974483096156608458198757
_ROOT_HALF_PI = 1.2533141373155002512078826424055226


class Words:
    """Words of an engine as numbers of one type; those that nobody took stay in the engine (:meth:`end`)."""

    def __init__(self, engine: Engine, kind: type[np.floating[Any]]) -> None:
        self._engine, self._kind = engine, kind
        self._look(312)

    def _look(self, count: int) -> None:
        """Look at so many words; the list that normal numbers are looked up in is made when one is asked for."""
        self._parts = canonical(self._engine.peek(count), self._kind)
        self._listed = _scalars(self._parts)
        self._pairs: tuple[list[Any], list[Any], list[bool]] | None = None
        self._at = 0

    def _go_on(self) -> None:
        self.end()
        self._look(min(2 * len(self._listed), _MOST))

    def end(self) -> None:
        """Go past what was taken."""
        self._engine.skip(self._at)

    def part(self) -> Any:
        """Return a number from [0, 1)."""
        if self._at == len(self._listed):
            self._go_on()
        self._at += 1
        return self._listed[self._at - 1]

    def normal(self) -> tuple[Any, Any]:
        """Return two numbers of the normal distribution, from the next point in the circle."""
        while True:
            if self._at + 1 >= len(self._listed):
                self._go_on()
            first, second, inside = self._pairs = self._pairs or self._normal_pairs()
            self._at += 2
            if inside[self._at - 2]:
                return first[self._at - 2], second[self._at - 2]

    def _normal_pairs(self) -> tuple[list[Any], list[Any], list[bool]]:
        """Return what each word and the next give, and whether their point is in the circle."""
        points = points_of(self._parts)
        x, y = points[:-1], points[1:]
        squares = x * x + y * y
        inside = (squares <= 1) & (squares != 0)
        r = np.where(inside, squares, self._kind(1))
        scale = np.sqrt(self._kind(-2) * log(r) / r)
        return _scalars(y * scale), _scalars(x * scale), inside.tolist()


def _scalars(array: Array) -> list[Any]:
    """Return the numbers one by one: as Python's floats where those have the same precision, they are quicker."""
    return array.tolist() if array.dtype == np.float64 else list(array)


# -- Poisson ------------------------------------------------------------------------------------------------------


def poisson(engine: Engine, means: Array) -> Array:
    """Return how often something happens that happens so many times on average.

    Raises:
        ValueError: for an average that an integer cannot hold.
    """
    words = Words(engine, np.float64)
    found = [_poisson(words, mean) for mean in means.astype(np.float64).reshape(-1).tolist()]
    words.end()
    return np.array(found, means.dtype).reshape(means.shape)


def _poisson(words: Words, mean: float) -> int:
    if mean >= 12:
        return _large_poisson(words, mean)
    least, product, count = math.exp(-mean), words.part(), 0
    while product > least:
        product *= words.part()
        count += 1
    return count


def _large_poisson(words: Words, mean: float) -> int:
    if mean >= (1 << 31) - 1:
        raise failure(ValueError, f"poisson(): {mean} is more than an integer of 32 bits holds.")
    m, log_mean, d, factor, ends = _poisson_areas(mean)
    log_m = math.lgamma(m + 1)
    kept: float | None = None  # the second one of a pair of normal numbers is used next time
    while True:
        u, e = ends[-1] * words.part(), -math.log(1 - words.part())
        w = 0.0
        if u <= ends[1]:
            n, kept = words.normal() if kept is None else (kept, None)
            if u <= ends[0]:
                x = math.floor(-abs(n) * math.sqrt(m) - 1)
                w = -n * n / 2
                refused = x < -m
            else:
                y = 1 + abs(n) * math.sqrt((2 * m + d) / 2)
                x = math.ceil(y)
                w = y * (2 - y) * factor
                refused = x > d
            if refused:
                continue
        elif u <= ends[4]:
            x = -1 if u <= ends[2] else 0 if u <= ends[3] else 1
            w = 1 / 78 if x == 1 else 0.0
        else:
            y = d - math.log(1 - words.part()) * 2 * (2 * m + d) / d
            x = math.ceil(y)
            w = -d * factor * (1 + y / 2)
        if w - e - x * log_mean <= log_m - math.lgamma(x + m + 1):
            return int(x + m)


@lru_cache(maxsize=64)
def _poisson_areas(mean: float) -> tuple[float, float, float, float, list[float]]:
    """Return what follows from the mean alone: the areas under the curves that lie over the distribution, added up."""
    m = math.floor(mean)
    d = math.floor(max(6.0, min(m, math.sqrt(2 * m * math.log(32 * m / _QUARTER_PI)))) + 0.5)
    width = 2 * m + d
    factor = 1 / width
    left = math.sqrt(m) * _ROOT_HALF_PI
    middle = math.sqrt(_QUARTER_PI * width) * math.exp(factor) + left
    peak = middle + 1 + 1 + math.exp(1 / 78)
    whole = 2 * width * math.exp(-d * factor * (1 + d / 2)) / d + peak
    return m, math.log(mean), d, factor, [left, middle, middle + 1, middle + 2, peak, whole]


# -- gamma --------------------------------------------------------------------------------------------------------


def gamma(engine: Engine, shapes: Array) -> Array:
    """Return numbers of the gamma distribution with scale 1 and the given shape parameters.

    Raises:
        ValueError: for a parameter below 0.
    """
    if not (shapes >= 0).all():
        raise failure(
            ValueError, "standard_gamma(): the parameter must not be below 0, but received one that is."
        )
    words = Words(engine, shapes.dtype.type)
    found = [_gamma(words, one) for one in shapes.reshape(-1)]
    words.end()
    made = np.array(found, shapes.dtype).reshape(shapes.shape)
    return np.maximum(made, np.finfo(made.dtype).tiny)


def _gamma(words: Words, alpha: Any) -> Any:
    kind = type(alpha)
    scale = one = kind(1)
    if alpha == 0:
        return alpha
    if alpha < 1:
        scale = kind(float(one - words.part()) ** float(one / alpha))
        alpha = alpha + one
    d = alpha - kind(np.float32(1) / np.float32(3))  # in Paddle these two constants are float32, always
    c = one / np.sqrt(kind(9) * d)
    steep = kind(np.float32(0.0331))
    while True:
        x = kind(words.normal()[0])
        y = one + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = kind(one - words.part())
        square = x * x
        if u < one - steep * square * square or np.log(u) < kind(0.5) * square + d * (one - v + np.log(v)):
            return scale * d * v


# -- binomial -----------------------------------------------------------------------------------------------------


def binomial(engine: Engine, counts: Array, chances: Array) -> Array:
    """Return how many of so many tries succeed, each with its chance."""
    words = Words(engine, chances.dtype.type)
    pairs = zip(counts.reshape(-1).tolist(), chances.reshape(-1).tolist(), strict=True)
    found = [_binomial(words, count, chance) for count, chance in pairs]
    words.end()
    return np.array(found, np.int64).reshape(chances.shape)


def _binomial(words: Words, n: float, p: float) -> int:
    if n <= 0 or p <= 0:
        return 0
    if p >= 1:
        return int(n)
    if p > 0.5:
        return int(n) - _binomial(words, n, 1 - p)
    return _many_tries(words, n, p) if n * p >= 10 else _few_successes(words, n, p)


def _few_successes(words: Words, n: float, p: float) -> int:
    """Count successes by the tries that each of them takes."""
    tries, successes = 0.0, 0
    while True:
        part = float(words.part())
        tries += math.ceil(math.log(part) / math.log1p(-p)) if part else math.inf
        if tries > n:
            return successes
        successes += 1


def _many_tries(words: Words, n: float, p: float) -> int:
    deviation = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    m = math.floor((n + 1) * p)
    odds = p / (1 - p)
    while True:
        u, v = float(words.part()) - 0.5, float(words.part())
        room = 0.5 - abs(u)
        k = math.floor((2 * a / room + b) * u + n * p + 0.5) if room else -1
        if room >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        if k < 0 or k > n or not v:
            continue
        bound = (
            (m + 0.5) * math.log((m + 1) / (odds * (n - m + 1)))
            + (n + 1) * math.log((n - m + 1) / (n - k + 1))
            + (k + 0.5) * math.log(odds * (n - k + 1) / (k + 1))
            + _stirling_rest(m) + _stirling_rest(n - m) - _stirling_rest(k) - _stirling_rest(n - k)
        )  # fmt: skip
        if math.log(v * (2.83 + 5.1 / b) * deviation / (a / (room * room) + b)) <= bound:
            return k


def _stirling_rest(k: float) -> float:
    """Return by how much Stirling's formula misses the logarithm of the factorial of `k`."""
    exact = math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi))
    square = (k + 1) * (k + 1)
    return exact if k <= 9 else (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
