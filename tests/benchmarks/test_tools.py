"""The objects that benchmarks.tools measures exist; their speed is not tested."""

import pytest

from benchmarks import tools
from benchmarks.engines import Engine
from benchmarks.footprint import Line


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (("recording", "tanh", 1), {"statistics", "values", "values and variables"}),
        (("prompt", 100), {"events", "seconds"}),
        (("opening", 4), {"megabytes", "seconds"}),
        (("check", 8, 1), {"ratio", "run", "check"}),
        (("commands", 2, 1), {"flow", "nan", "check", "graph", "graph -o x.svg", "graph -o x.html"}),
        (("model", 60), {"seconds"}),
        (("drawn", 30), {"nodes", "seconds"}),
        (("folded", 30), {"events", "seconds", "megabytes", "peak"}),
        (("page", 30, 1), {"megabytes", "seconds"}),
    ],
)
def test_each_probe_answers(asked: tuple[object, ...], answered: set[str]):
    assert set(tools.probe(*asked)) == answered


def test_all_operators_are_drawn_against_torchviz():
    with Engine("minipaddle") as engine:
        engine.load("drawing")
        (whole,) = engine.values(1)
        engine.load("drawing_folded")
        (folded,) = engine.values(1)
    assert whole.count("tanh_grad") >= 333
    assert 0 < folded.count('class="node"') < whole.count('class="node"') / 10


def test_the_page_has_targets_and_what_is_missing():
    lines = [Line("step", 0.5, "ms", 50), Line("  memory", 7, "MB"), Line("open", 3, "s", 2)]
    page = tools.page(lines, ["torchviz not measured"], "2026-11-21")
    assert "| step | 0.5 ms | <= 50 | ok |" in page
    assert "| memory | 7 MB |  |  |" in page
    assert "| open | 3 s | <= 2 | miss |" in page
    assert page.endswith("- torchviz not measured\n")
