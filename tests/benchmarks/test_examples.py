"""The examples in Paddle's docstrings are found, run and judged; a folder of the test replaces Paddle."""

from pathlib import Path

import pytest

from benchmarks import examples
from benchmarks.docstrings import Part, parts_of
from benchmarks.docstrings import examples as examples_below
from benchmarks.example_worker import agree, verdict

MODULE = Path(__file__).with_name("docstrings.txt").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nn").mkdir()
    (tmp_path / "nn" / "part.py").write_text(MODULE, encoding="utf-8")
    return tmp_path


def test_what_runs_on_a_cpu_is_found_block_by_block(folder: Path):
    names = [example.name.removeprefix("paddle.nn.part.") for example in examples_below(folder)]
    assert names == ["Bad", "Bad.missing", "Bad.raising", "Bad.raising_as_written", "good", "good#2"]


def test_each_example_is_judged(folder: Path):
    answers = examples.judged("minipaddle", examples.sys.executable, examples_below(folder), jobs=2)
    assert {name.removeprefix("paddle.nn.part."): answer["verdict"] for name, answer in answers.items()} == {
        "Bad": "differs",
        "Bad.missing": "missing",
        "Bad.raising": "error",
        "Bad.raising_as_written": "same",
        "good": "same",
        "good#2": "same",
    }
    assert answers["paddle.nn.part.Bad.missing"]["what"] == "no_such_name"


@pytest.mark.parametrize(("printed", "verdict"), [("1\n", "newer"), ("3\n", "differs"), ("", "differs")])
def test_what_the_newer_paddle_prints_is_counted_by_itself(folder: Path, printed: str, verdict: str):
    bad = [one for one in examples_below(folder) if one.name.endswith("Bad")]
    here = {bad[0].name: {"verdict": "differs", "printed": printed}}
    examples.mark_newer(here, bad, 1, engine="minipaddle", python=examples.sys.executable)
    assert here[bad[0].name]["verdict"] == verdict
    assert ("1 more" in examples.section("2.6.2", here, {})) is (verdict == "newer")


def test_all_that_was_printed_is_told_up_to_the_error():
    parts = [("print(1)", "2"), ("print(3)", "3"), ("print(4); 1 / 0", "4")]
    answer = verdict([{"source": source, "wanted": wanted} for source, wanted in parts])
    assert (answer["verdict"], answer["said"]) == ("differs", "1\n")
    assert answer["printed"] == "1\n3\n4\nZeroDivisionError"


def test_the_page_names_what_differs_here_alone(tmp_path: Path):
    here = {
        "paddle.nn.a": {"verdict": "same"},
        "paddle.nn.b": {"verdict": "differs"},
        "paddle.io.c": {"verdict": "error"},
    }
    there = {name: {"verdict": "same"} for name in here} | {"paddle.io.c": {"verdict": "error"}}
    page = tmp_path / "page.md"
    page.write_text(f"before\n{examples.BEGIN}\nold\n{examples.END}\nafter\n", encoding="utf-8")
    examples.save(examples.section("3.3.1", here, there), page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "**3.3.1**: 1 of 3 here, 2 in real Paddle." in text
    assert "| nn | 2 | 1 | 2 |" in text
    assert "| io | 1 | 0 | 0 |" in text
    assert "- *differs* (1): `nn.b`" in text
    assert "`io.c`" not in text


def test_what_is_skipped_takes_its_output_with_it():
    block = (
        ">>> a = 1\n>>> # doctest: +SKIP('random')\n>>> print(a)\n7\n>>> # doctest: -SKIP\n>>> print(a)\n1"
    )
    assert list(parts_of(block)) == [Part("a = 1\nprint(a)", "1")]


@pytest.mark.parametrize(
    ("wanted", "printed", "same"),
    [
        ("[[1., 2.],\n [3., 4.]]", "[[1., 2.], [3., 4.]]", True),
        ("0.33333", "0.33334", True),
        ("0.3333", "0.3353", False),
        ("-0.", "0.", True),
        ("nan", "nan", True),
        ("[1, ..., 9]", "[1, 2, 3, 9]", True),
        ("[1, ..., 9]", "[1, 2, 3, 8]", False),
        ("[1, 2]", "[1, 2, 3]", False),
        ("float32", "float64", False),
    ],
)
def test_texts_are_compared_by_their_numbers(wanted: str, printed: str, same: bool):
    assert agree(wanted, printed) is same


def test_how_a_shape_is_printed_is_counted_by_itself():
    def said(text, wanted):
        return verdict([{"source": f"print({text!r})", "wanted": wanted}])["verdict"]

    assert said("paddle.Size([2, 3])", "[2, 3]") == "printing"
    assert said("[(1.00000000+-2.00000000j), (0.00000000+1.00000000j)]", "[(1-2j), 1j]") == "printing"
    assert said("paddle.Size([2, 4])", "[2, 3]") == "differs"
    assert said("[2, 3]", "[2, 3]") == "same"
