"""Short words: cut, cleaned, and never a lie about numbers."""

import numpy as np
import pytest

from minipaddle.tools.record.events import Value
from minipaddle.tools.words.numbers import clean, cut, cut_cells, look, number


def value(numbers, kind="result", dtype="float32"):
    array = np.array(numbers, dtype)
    return Value(0, "v", kind, array.shape, array.dtype.name, False, array)


@pytest.mark.parametrize(
    ("numbers", "kind", "said"),
    [
        (2.0, "result", "2"),
        ([0.12345678, -3.0], "result", "0.1235, -3"),
        ([1.0, 2.0, 2.0, 4.0], "result", ""),
        ([1.0, 2.0, 2.0, 4.0], "gradient", "norm 5"),
        ([0.0] * 9, "result", "all zero"),
        ([np.nan, 1.0, np.inf, -np.inf], "gradient", "NaN: 1 of 4, Inf: 2 of 4"),
        ([], "result", ""),
    ],
)
def test_a_look_at_numbers(numbers, kind, said):
    assert look(value(numbers, kind)) == said


def test_cutting_says_that_it_cut():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cut_cells("梯度梯度", 8) == "梯度梯度"
    assert cut_cells("梯度梯度", 6) == "梯度…"
    assert cut_cells("gradient", 6, "...") == "gra..."
    assert cut_cells("gradient", 2, "...") == ".."


def test_what_would_steer_a_terminal_or_break_xml_is_written_out():
    assert clean("a\x1b[0mb\x00c\u202ed\udc80") == "a\\x1b[0mb\\x00c\\u202ed\\udc80"
    assert clean("a\nb") == "a b"
    assert clean("梯度 שלום 🐼") == "梯度 שלום 🐼"
    assert len(clean("x" * 10_000)) < 300


def test_numbers_have_four_digits():
    assert [number(x) for x in (0.1 + 0.2, 123456.0, 1e-9)] == ["0.3", "1.235e+05", "1e-09"]
