"""Short texts for the numbers of a tensor."""

import numpy as np

from minipaddle.tools.record.stats import stats_of
from minipaddle.tools.words.terminal import stats_lines


def test_complex_numbers_are_shown_by_their_absolute_values():
    array = np.array([3 + 4j, 0 + 0j])
    assert stats_lines(stats_of(array), (2,), "complex128")[0].startswith(
        "[2]  complex128  of the absolute values:  min 0"
    )


def test_nothing_is_said_as_such():
    empty = np.zeros((0, 3))
    assert stats_lines(stats_of(empty), (0, 3), "float64") == ["[0, 3]  float64  it is empty"]
