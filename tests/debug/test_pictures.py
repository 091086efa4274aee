"""Pictures of a tensor in characters."""

import numpy as np

from minipaddle.tools.record.stats import stats_of
from minipaddle.tools.words.terminal import UNICODE, heat, histogram, stats_lines


def test_complex_numbers_are_shown_by_their_absolute_values():
    array = np.array([3 + 4j, 0 + 0j])
    assert stats_lines(stats_of(array), (2,), "complex128")[0].startswith(
        "[2]  complex128  of the absolute values:  min 0"
    )
    lines = list(histogram(array, UNICODE))
    assert "5" in lines[-1]
    assert list(heat(array, UNICODE))[-1].split()[:4] == ["▁", "0", "█", "5"]


def test_nothing_and_one_number_are_said_as_such():
    empty = np.zeros((0, 3))
    assert stats_lines(stats_of(empty), (0, 3), "float64") == ["[0, 3]  float64  it is empty"]
    assert list(histogram(empty, UNICODE)) == list(heat(empty, UNICODE)) == ["it is empty"]
    assert len(list(histogram(np.full(7, 2.5), UNICODE))) == 1
