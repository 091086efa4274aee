"""The benchmark cases train, and compute the same as their NumPy twins; their speed is not tested."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks import linear, measure, report
from benchmarks.engines import Engine, Refused
from benchmarks.footprint import probe
from benchmarks.scripts import script_of
from benchmarks.targets import CASES, QUICKER_PADDLE, Case

TRAINING = ["mlp_sgd", "mlp_adam", "lenet", "attention", "lstm", "static_mlp_sgd"]
TWINS = {
    "tanh": "tanh",
    "chain": "chain",
    "einsum": "einsum",
    "linalg": "linalg",
    "interpolate": "interpolate",
    "lenet": "lenet",
    "mlp_sgd": "mlp_sgd",
    "static_mlp_sgd": "mlp_sgd",
    "static_chain": "chain",
    "static_py_func": "tanh",
}


@pytest.fixture(scope="module")
def minipaddle() -> Iterator[Engine]:
    with Engine("minipaddle") as engine:
        yield engine


@pytest.fixture(scope="module")
def by_hand() -> Iterator[Engine]:
    with Engine("numpy") as engine:
        yield engine


def test_every_case_is_tried_here():
    assert {case.name for case in CASES} == {
        *TRAINING,
        *TWINS,
        "interpolate_modes",
        "static_pylayer",
        "static_build",
    }


@pytest.mark.parametrize("case", TRAINING)
def test_the_step_trains(minipaddle: Engine, case: str):
    minipaddle.load(case)
    losses = minipaddle.values(6)
    assert losses[-1] < losses[0]


@pytest.mark.parametrize(("case", "twin"), TWINS.items())
def test_the_numpy_twin_computes_the_same(minipaddle: Engine, by_hand: Engine, case: str, twin: str):
    minipaddle.load(case)
    by_hand.load(twin)
    np.testing.assert_allclose(minipaddle.values(5), by_hand.values(5), rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("case", ["tanh", "chain", "mlp_sgd"])
def test_the_least_tape_computes_the_same(by_hand: Engine, case: str):
    by_hand.load(case)
    with Engine("least") as least:
        least.load(case)
        np.testing.assert_allclose(least.values(5), by_hand.values(5), rtol=1e-4, atol=1e-7)


def test_every_mean_of_resized_images_has_a_gradient_of_one(minipaddle: Engine):
    minipaddle.load("interpolate_modes")
    np.testing.assert_allclose(minipaddle.values(2), [18, 18], rtol=1e-5)  # each pixel's weights add up to 1


def test_the_static_pylayer_answers_with_its_own_gradient(minipaddle: Engine):
    minipaddle.load("static_pylayer")
    y, dx = minipaddle.values(1)[0]
    np.testing.assert_allclose(y, np.exp([np.linspace(-1, 1, 5)]), rtol=1e-6)
    np.testing.assert_allclose(dx, 2 * np.exp(np.ones((1, 5))), rtol=1e-6)


def test_the_built_program_has_as_many_operators_as_in_paddle(minipaddle: Engine):
    minipaddle.load("static_build")
    assert minipaddle.values(2) == [2005, 2005]


def test_an_eager_case_works_after_a_static_one(minipaddle: Engine):
    minipaddle.load("static_chain")
    minipaddle.load("tanh")
    assert np.shape(minipaddle.values(1)) == (1, 2, 3)


def test_the_size_of_a_program_and_the_time_of_each_part():
    found = probe("program", 50)
    assert found["ops"] == 50 + 2 * 25 + 5
    assert all(seconds > 0 for seconds in found["seconds"].values())
    page = linear.table([(50, found["ops"], dict.fromkeys(found["seconds"], 0.021))])
    assert page.splitlines()[2].startswith("| 50 | 105 | 21.0 ms (200 us) |")


def test_an_engine_without_interpreter_is_refused():
    with pytest.raises(Refused, match="No such file"):
        Engine("torch", "/nowhere/python")


def test_an_engine_that_cannot_be_imported_is_refused():
    with pytest.raises(Refused, match="no_such_engine"):
        Engine("no_such_engine")


class Metronome:
    """An engine whose steps take a fixed time, so that the arithmetic of the comparison can be checked."""

    def __init__(self, name: str, *ticks: float) -> None:
        self.name, self.ticks, self.asked = name, ticks, 0

    def has(self, case: str) -> bool:
        return True

    def load(self, case: str) -> None:
        self.asked = 0

    def seconds(self, calls: int) -> float:
        self.asked += 1
        return calls * self.ticks[self.asked % len(self.ticks)]


def test_a_ratio_is_taken_within_a_round():
    # Both get ten times slower in every other round: the ratio stays.
    engines = [Metronome("minipaddle", 1e-3, 1e-2), Metronome("paddle", 2e-3, 2e-2)]
    (row,), refusals = measure.measure(Case("chain", "a chain", {"paddle": 0.4}), engines, 5, 0.1)
    assert row.ratio == pytest.approx(0.5)
    assert (row.verdict, refusals) == ("miss", [])


def test_the_target_stands_beside_the_quicker_paddle():
    case = Case("static_chain", "a chain", {QUICKER_PADDLE: 0.4, "numpy": 9})
    engines = [Metronome("minipaddle", 1e-3), Metronome("paddle", 4e-3), Metronome("paddle26", 2e-3)]
    rows, _ = measure.measure(case, [*engines, Metronome("numpy", 1e-3)], 3, 0.1)
    found = [(row.engine, row.verdict) for row in rows]
    assert found == [("paddle", ""), ("paddle26, the quicker", "miss"), ("numpy", "ok")]


def test_only_static_cases_are_run_by_the_other_paddles():
    assert script_of("static_chain", "paddle26") == script_of("static_chain", "minipaddle")
    assert script_of("chain", "paddle26") is None


def test_a_static_case_has_the_twin_of_the_eager_one():
    assert script_of("static_chain", "numpy") == "benchmarks.twins.chain_numpy"
    assert script_of("static_pylayer", "numpy") is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.5, "2.50 s"), (0.125, "125 ms"), (0.00125, "1.25 ms"), (125e-6, "125 us"), (1.2e-7, "0.120 us")],
)
def test_durations_have_three_digits(seconds: float, text: str):
    assert report.duration(seconds) == text


def test_the_table_shows_target_and_verdict():
    row = measure.Row("chain", "a chain", "paddle", 1.25e-3, 5e-3, 0.25, 0.55)
    cells = ["a chain", "paddle", "1.25 ms", "5.00 ms", "0.25", "<= 0.55", "ok"]
    assert re.split("  +", report.text([row]).splitlines()[1]) == cells
    assert report.markdown([row]).endswith(f"| {' | '.join(cells)} |")
