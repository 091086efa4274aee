"""What a page holds: numbers within a budget, culprits first."""

import json
import re

import minipaddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.page.colours import colours
from minipaddle.tools.page.facts import BUDGET, arrays_of
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder
from tests.support.page import NET, data_of, trace_of


def recorded(size, start=1.0):
    recorder = Recorder("script.py")
    with watching(recorder):
        x = minipaddle.paddle.full([size], start)
        x.stop_gradient = False
        minipaddle.paddle.sum(minipaddle.paddle.log(x * 2) * x).backward()
    return recorder.finish()


def shown(trace, budget=BUDGET):
    graph = mirror(trace)
    found = arrays_of([graph], budget)
    return {trace.values[id_].name: data for id_, data in found.items()}


def test_small_arrays_are_shown_and_large_ones_not():
    assert "log_2" in shown(recorded(256))
    assert "log_2" not in shown(recorded(257))


def test_where_something_is_wrong_larger_ones_are():
    found = shown(recorded(1000, start=0.0))
    assert found["log_2"][:2] == ["-inf", "-inf"]
    assert "scale_1" in found  # it leads there


def test_the_budget_is_kept_small_arrays_first():
    found = shown(recorded(200), budget=1000)
    assert "sum_4" in found
    assert 0 < len(json.dumps(list(found.values()))) <= 1000
    assert shown(recorded(200), budget=0) == {}


def test_numbers_are_short():
    assert shown(recorded(2, start=1 / 3))["log_2"] == [-0.4055, -0.4055]


def test_a_closed_frame_of_a_repeat_tells_what_all_rounds_made(write_script):
    """As `--depth` with `--fold` does: results, counts and words of each round, and its gradients only."""
    from minipaddle.tools.page.closable import closable_of
    from minipaddle.tools.picture.model.fold import fold
    from minipaddle.tools.picture.model.labels import label
    from tests.support.closing import close_deeper

    graph = mirror(trace_of(write_script(NET.replace("range(3)", "range(4)"))))
    closed = closable_of(graph).nodes
    expected = [node for node in fold(close_deeper(graph, 1)).nodes.values() if "layer" in node.kind]
    assert {node.id[0] for node in expected} == {"s", "t"}
    for node in expected:
        page = closed[f"{node.id}~r0"]
        made = [[value.id for value in one.results] for one in page.rounds]
        assert made == [[value.id for value in one.results] for one in node.rounds]
        assert (page.count, label(page)) == (4, label(node))


def test_the_schema_is_numbered():
    text = Picture(mirror(recorded(2)), recorded(2)).html()
    data = data_of(text)
    assert (data["schema"], data["version"]) == ("minipaddle-page", 6)


def nodes_of(record, source):
    """The nodes of a page, and the sentences that they have in common."""
    trace = record(source)
    text = Picture(mirror(trace), trace).html()
    data = data_of(text)
    return data["passes"][0]["nodes"].values(), data["texts"]


def test_every_operator_that_paddle_documents_has_a_link(record):
    nodes, texts = nodes_of(
        record,
        """
        x = paddle.randn([1, 1, 4, 4])
        w = paddle.create_parameter([1, 1, 1, 1], "float32")
        h = paddle.nn.functional.avg_pool2d(paddle.nn.functional.conv2d(x, w), 2)
        h = paddle.nn.functional.max_pool2d(h, 2).flatten(1)
        loss = paddle.nn.functional.cross_entropy(h, paddle.zeros([1], "int64"))
        loss.backward()
        paddle.optimizer.SGD(0.1, parameters=[w]).step()
        """,
    )
    pages = {
        texts[node["doc"]].rpartition("/paddle/")[2].removesuffix("_en.html")
        for node in nodes
        if "doc" in node
    }
    assert {"normal", "nn/functional/conv2d", "nn/functional/avg_pool2d", "nn/functional/max_pool2d"} <= pages
    assert {"flatten", "nn/functional/cross_entropy", "mean", "optimizer/SGD"} <= pages
    assert all("doc" in node for node in nodes if node["kind"] in ("op", "grad", "update"))


def test_an_update_has_its_line(record):
    nodes, _ = nodes_of(
        record,
        """
        w = paddle.create_parameter([1], "float32")
        w.sum().backward()
        paddle.optimizer.SGD(0.1, parameters=[w]).step()
        """,
    )
    (line,) = [node["line"] for node in nodes if node["kind"] == "update"]
    assert line == 4  # the first is the import


def test_in_greys_the_arrow_of_a_gradient_is_thicker():
    """In the theme, and on paper."""
    weights = re.findall(r"--weight-value:(\d);--weight-gradient:(\d)", colours())
    assert weights.count(("1", "2")) == 2
    assert set(weights) == {("1", "1"), ("1", "2")}
