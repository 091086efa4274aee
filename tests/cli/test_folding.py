"""Long lines at a terminal are broken between words, and indented under the line they continue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from minipaddle.tools.cli.console import fold


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("short", ["short"]),
        ("│ in  " + "name " * 9, ["│ in  name name name name name name name", "│     name name"]),
        (
            "numbers  a = " + "0.25 * 0.5 + " * 3 + "1",
            ["numbers  a = 0.25 * 0.5 + 0.25 * 0.5 +", "         0.25 * 0.5 + 1"],
        ),
        ("plain words " * 5, ["plain words plain words plain words", "  plain words plain words"]),
        ("| in  " + "x" * 50, ["| in  " + "x" * 34, "|     " + "x" * 16]),
        ("梯度" * 15, ["梯度" * 10, "  " + "梯度" * 5]),
    ],
)
def test_a_line_is_folded(line, parts):
    assert fold(line, 40) == [part.rstrip() for part in parts]


@given(st.text(alphabet="ab 梯│=*", max_size=200), st.integers(40, 90))
def test_no_part_is_too_wide_and_nothing_is_lost(line, width):
    parts = fold(line, width)
    if len(parts) > 1:
        assert all(cell_len(part) <= width for part in parts)
    letters = [c for c in line if c not in " │"]
    assert [c for part in parts for c in part if c not in " │"] == letters


def test_a_narrow_window_gets_the_line_as_it_is():
    assert fold("word " * 30, 20) == ["word " * 30]
