"""The generator that Paddle draws from on the CPU: the 64-bit Mersenne Twister, whole words at a time.

It is `std::mt19937_64` of the C++ standard library, seeded through `std::seed_seq`: 312 words of state, from which the
next 312 follow by shifts and exclusive ors (Matsumoto and Nishimura, 2000). The rules of :mod:`draws` take words as
needed; a rule that rejects numbers looks ahead at more words than it takes. Read next: ``draws.py``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from minipaddle.ops.definition import Array

WORDS = 312
"""The words of a state."""
_HALF = 156  # a new word depends on the one so much later
_BLOCK = 1 << 15  # words that stay in the processor's cache
_LOWER, _MATRIX, _ONE = (np.array(word, np.uint64) for word in (0x7FFFFFFF, 0xB5026F5AA96619E9, 1))


class GeneratorState(NamedTuple):
    """The state that determines later words."""

    seed: int
    state: Array
    words: Array

    def __repr__(self) -> str:
        return f"<GeneratorState of seed {self.seed}>"

    def current_seed(self) -> int:
        """Return the seed of the stream."""
        return self.seed


class Engine:
    """A stream of words of 64 bits, the same for the same seed in every run."""

    def __init__(self, state: Array, seed: int) -> None:
        self.seed = seed
        """Its seed."""
        self._state = state.copy()
        self._words = np.empty(0, np.uint64)
        """Words that are made but not taken yet."""

    def peek(self, count: int) -> Array:
        """Return the next `count` words, without consuming them."""
        missing = count - len(self._words)
        if missing > 0:
            self._words = np.concatenate([self._words, _tempered(self._twisted(-(-missing // WORDS)))])
        return self._words[:count]

    def skip(self, count: int) -> None:
        """Skip `count` words after peeking at them."""
        self._words = self._words[count:]

    def take(self, count: int) -> Array:
        """Return the next `count` words and consume them."""
        words = self.peek(count)
        self.skip(count)
        return words

    @property
    def state(self) -> GeneratorState:
        """The state that determines later words; it may be set in another engine."""
        return GeneratorState(self.seed, self._state.copy(), self._words.copy())

    @state.setter
    def state(self, state: GeneratorState) -> None:
        self.seed, self._state, self._words = state.seed, state.state.copy(), state.words.copy()

    def _twisted(self, times: int) -> Array:
        """Return this many states after the present one, one after another.

        A word depends on the word 312 before, the next one, and the one 156 later: so all words of a state but one are
        made at once, and the last one after the first.
        """
        made = np.empty(WORDS * (times + 2), np.uint64)
        made[:WORDS] = self._state
        mixed, odd = np.empty((2, WORDS - 1), np.uint64)
        for start in range(0, WORDS * times, WORDS - 1):
            old, new = made[start : start + WORDS], made[start + WORDS :]
            np.bitwise_xor(old[:-1], old[1:], mixed)
            np.bitwise_and(mixed, _LOWER, mixed)
            np.bitwise_xor(mixed, old[:-1], mixed)  # the upper bits of each word, the lower bits of the next
            np.bitwise_and(mixed, _ONE, odd)
            np.multiply(odd, _MATRIX, odd)
            np.right_shift(mixed, _ONE, mixed)
            np.bitwise_xor(mixed, odd, mixed)
            np.bitwise_xor(mixed[:_HALF], old[_HALF:], new[:_HALF])
            np.bitwise_xor(mixed[_HALF:], new[: _HALF - 1], new[_HALF : WORDS - 1])
        made = made[: WORDS * (times + 1)]
        self._state = made[-WORDS:].copy()
        return made[WORDS:]


def _tempered(words: Array) -> Array:
    """Mix the bits of each word in place (tempering), so that each bit is uniform; in blocks that fit the cache."""
    for start in range(0, len(words), _BLOCK):
        block = words[start : start + _BLOCK]
        moved = np.empty_like(block)
        for shift, mask in ((29, 0x5555555555555555), (-17, 0x71D67FFFEDA60000), (-37, 0xFFF7EEE000000000)):
            (np.right_shift if shift > 0 else np.left_shift)(block, np.uint64(abs(shift)), moved)
            moved &= np.uint64(mask)
            block ^= moved
        block ^= np.right_shift(block, np.uint64(43), moved)
    return words


def engine_of_process(seed: int) -> Engine:
    """Return the engine that ``paddle.seed`` starts: `std::seed_seq` makes its state from 32 bits of the seed."""
    return Engine(_begun_by(seed % (1 << 32)), seed)


@lru_cache(maxsize=64)  # a script often seeds with the same number again
def _begun_by(seed: int) -> Array:
    halves = np.array(_seed_sequence(seed, 2 * WORDS), np.uint64)
    return halves[0::2] | (halves[1::2] << np.uint64(32))


def engine_of_operator(seed: int) -> Engine:
    """Return the engine of an operator with its own seed: each word of its state follows from the one before."""
    return Engine(_spread(seed % (1 << 64)), seed)


@lru_cache(maxsize=64)  # such an operator restarts each time it runs
def _spread(seed: int) -> Array:
    words = [seed]
    for number in range(1, WORDS):
        words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + number) % (1 << 64))
    return np.array(words, np.uint64)


def _seed_sequence(seed: int, count: int) -> list[int]:
    """Return the words of `std::seed_seq{seed}.generate`, as defined by the C++ standard (rand.util.seedseq)."""
    words = [0x8B8B8B8B] * count
    shift = 11  # for 623 words and more
    p, q = (count - shift) // 2, (count - shift) // 2 + shift

    def mixed(x: int) -> int:
        return x ^ (x >> 27)

    for k in range(count):
        r = 1664525 * mixed(words[k] ^ words[(k + p) % count] ^ words[k - 1]) & 0xFFFFFFFF
        more = r + (1 if k == 0 else k % count + (seed if k == 1 else 0))
        words[(k + p) % count] = words[(k + p) % count] + r & 0xFFFFFFFF
        words[(k + q) % count] = words[(k + q) % count] + more & 0xFFFFFFFF
        words[k] = more & 0xFFFFFFFF
    for k in range(count, 2 * count):
        at = k % count
        r = (
            1566083941 * mixed(words[at] + words[(k + p) % count] + words[(k - 1) % count] & 0xFFFFFFFF)
            & 0xFFFFFFFF
        )
        less = r - at
        words[(k + p) % count] ^= r
        words[(k + q) % count] ^= less & 0xFFFFFFFF
        words[at] = less & 0xFFFFFFFF
    return words
