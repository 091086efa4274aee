"""Readers of examples, one made of others, and batches of what they read."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import reader


def five():
    yield from range(5)


def three():
    yield from range(10, 13)


@pytest.mark.parametrize(
    ("made", "read"),
    [
        (reader.cache(five), [0, 1, 2, 3, 4]),
        (reader.buffered(five, 2), [0, 1, 2, 3, 4]),
        (reader.firstn(five, 2), [0, 1]),
        (reader.chain(five, three), [0, 1, 2, 3, 4, 10, 11, 12]),
        (reader.map_readers(lambda x, y: x + y, five, three), [10, 12, 14]),
        (reader.compose(five, three, check_alignment=False), [(0, 10), (1, 11), (2, 12)]),
        (reader.compose(lambda: iter([(1, 2)]), lambda: iter([3])), [(1, 2, 3)]),
        (reader.xmap_readers(lambda x: 2 * x, five, 2, 3, order=True), [0, 2, 4, 6, 8]),
        (reader.multiprocess_reader([five, three]), [0, 10, 1, 11, 2, 12, 3, 4]),
        (paddle.batch(five, 2), [[0, 1], [2, 3], [4]]),
        (paddle.batch(five, 2, drop_last=True), [[0, 1], [2, 3]]),
    ],
)
def test_what_is_read(made, read):
    assert list(made()) == read
    assert list(made()) == read  # a reader is read as often as it is called


def test_shuffled_within_the_buffer():
    some = list(reader.shuffle(five, 3)())
    assert sorted(some[:3]) == [0, 1, 2]
    assert sorted(some) == [0, 1, 2, 3, 4]


def test_wrong_readers():
    with pytest.raises(reader.ComposeNotAligned, match="not aligned"):
        list(reader.compose(five, three)())
    with pytest.raises(ValueError, match="batch_size should be a positive integer"):
        paddle.batch(five, 0)
