"""Readers made of readers: mapped, shuffled, one after the other, side by side."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Reader = Callable[[], Iterator[Any]]


class ComposeNotAligned(ValueError):
    """Readers that are read side by side do not have the same number of examples."""


def cache(reader: Reader) -> Reader:
    """Return a reader that reads `reader` once, now, and keeps the examples."""
    examples = tuple(reader())
    return lambda: iter(examples)


def map_readers(func: Callable[..., Any], *readers: Reader) -> Reader:
    """Return a reader of `func(example, ...)`, of an example of each reader, until the shortest ends."""
    return lambda: map(func, *(reader() for reader in readers))


def shuffle(reader: Reader, buf_size: int) -> Reader:
    """Return a reader that shuffles every `buf_size` examples, by Python's `random`."""

    def shuffled() -> Iterator[Any]:
        examples = iter(reader())
        while some := list(itertools.islice(examples, buf_size)):
            random.shuffle(some)
            yield from some

    return shuffled


def chain(*readers: Reader) -> Reader:
    """Return a reader of all examples of the first reader, then of the second, and so on."""
    return lambda: itertools.chain.from_iterable(reader() for reader in readers)


def compose(*readers: Reader, check_alignment: bool = True) -> Reader:
    """Return a reader of tuples: an example of each reader, those that are tuples spread.

    Raises:
        ComposeNotAligned: **outputs of readers are not aligned**: one ends earlier. Without `check_alignment` the
            rest of the others is left out.
    """

    def together() -> Iterator[Any]:
        end = object()
        for examples in itertools.zip_longest(*(reader() for reader in readers), fillvalue=end):
            if any(one is end for one in examples):
                if check_alignment:
                    raise ComposeNotAligned("outputs of readers are not aligned.")
                return
            yield tuple(part for one in examples for part in (one if isinstance(one, tuple) else (one,)))

    return together


def buffered(reader: Reader, size: int) -> Reader:
    """Return a reader of the same examples; they are read when they are asked for, `size` is accepted."""
    return lambda: iter(reader())


def firstn(reader: Reader, n: int) -> Reader:
    """Return a reader of the first `n` examples."""
    return lambda: itertools.islice(reader(), n)


def xmap_readers(
    mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False
) -> Reader:
    """Return a reader of `mapper(example)`, in order; `process_num` and `buffer_size` are accepted."""
    return map_readers(mapper, reader)


def multiprocess_reader(readers: Sequence[Reader], use_pipe: bool = True, queue_size: int = 1000) -> Reader:
    """Return a reader of an example of each reader in turn; they are read in this process.

    Raises:
        AssertionError: there is no reader.
    """
    assert isinstance(readers, list | tuple) and readers, "`readers` must be list or tuple, and not empty."

    def in_turn() -> Iterator[Any]:
        running = [iter(reader()) for reader in readers]
        end = object()
        while running:
            for examples in list(running):
                example = next(examples, end)
                if example is end:
                    running.remove(examples)
                else:
                    yield example

    return in_turn
