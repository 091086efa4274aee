"""What tutorials 8 to 10 say about their pictures is what the pictures show."""

import json
from pathlib import Path

import pytest

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"


@pytest.fixture
def drawn(run_cli, tmp_path):
    """`drawn("08", "--pass", "1")` returns the JSON of the picture that `graph` makes of a tutorial."""

    def draw(number, *options):
        (tutorial,) = TUTORIALS.glob(f"{number}_*.py")
        done = run_cli("graph", tutorial, "-o", tmp_path / "x.json", *options)
        assert done.returncode == 0, done.stderr
        return json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))

    return draw


def node(graph, title):
    (found,) = [node for node in graph["nodes"] if node["title"] == title]
    return found


def rungs(graph):
    by_id = {node["id"]: node["title"] for node in graph["nodes"]}
    return {(by_id[edge["tail"]], edge["label"]) for edge in graph["edges"] if edge["kind"] == "saved"}


def test_08_says_three_ways_to_be_missing(drawn):
    graph = drawn("08", "--pass", "1")
    assert node(graph, "data")["state"] == "no gradient (stop_gradient)"
    assert node(graph, "closed.grad")["state"] == "gradient is zero"
    assert node(graph, "taste")["state"] == "gradient not reached"
    assert node(graph, "argmax")["state"].startswith("not differentiable")
    assert sorted(node["results"][0]["name"] for node in graph["nodes"] if node["kind"] == "accumulate") == [
        "a@GRAD",
        "chosen@GRAD",
    ]
    assert {("tanh", "tanh_1"), ("matmul", "data")} < rungs(graph)
    assert not [rung for rung in rungs(graph) if rung[0] == "add"]


def test_08_names_options_that_make_it_smaller(drawn):
    whole = drawn("08", "--pass", "1")
    closed, one = (
        drawn("08", "--pass", "1", *words) for words in (["--depth", "0"], ["--collapse", "first"])
    )
    near = drawn("08", "--pass", "1", "--focus", "a±1")
    assert len(near["nodes"]) < len(closed["nodes"]) < len(one["nodes"]) < len(whole["nodes"])
    titles = {cluster["title"] for cluster in one["clusters"]}
    assert any("second" in title for title in titles)
    assert not any("first" in title for title in titles)


def test_08_opens_the_rule_of_sin_in_the_third_pass(drawn):
    second, third = drawn("08", "--pass", "2"), drawn("08")
    assert [node["title"] for node in second["nodes"] if node["kind"] == "grad"] == ["sin_grad"]
    assert [node["title"] for node in third["nodes"] if node["kind"] == "op"] == ["sin"]
    rule = [node for node in third["nodes"] if node["kind"] == "rule"]
    assert [node["title"] for node in rule] == ["cos", "multiply"]
    frames = {frame["id"]: frame["title"] for frame in third["clusters"]}
    assert {frames[node["cluster"]] for node in rule} == {"sin_grad"}


def test_09_says_how_many_bytes_are_kept(drawn):
    tape, ours = (drawn("09", "--saved", "--pass", number) for number in "12")
    assert "16.8 kB kept for backward by 5 operators" in tape["subtitle"]
    assert "4.8 kB kept for backward by 2 operators" in ours["subtitle"]
    size = {edge["label"]: edge["bytes"] for edge in tape["edges"] if edge["kind"] == "saved"}
    assert sorted(size.values()) == [800, 4000, 4000, 4000, 8000]


def test_10_draws_the_same_boxes_with_other_names(drawn):
    eager, static, program = drawn("10", "--pass", "1"), drawn("10", "--pass", "3"), drawn("10", "--program")

    def boxes(graph):
        return [
            node["op"] for node in graph["nodes"] if node["kind"] in ("op", "grad") and not node["cluster"]
        ]

    assert boxes(eager) == boxes(static) == boxes(program) != []
    assert {("matmul", "x"), ("Tanh", "h")} < rungs(eager)
    assert {("matmul", "x, w"), ("pylayer", "z")} < rungs(static)
    assert [cluster["title"] for cluster in static["clusters"]] == ["pylayer block 1", "pylayer_grad block 2"]
    assert any("data" in result for node in static["nodes"] for result in node["results"])
    assert not any("data" in result for node in program["nodes"] for result in node["results"])
