"""JSON: whole in every case."""

import json
import re

import pytest

from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.draw.json import SCHEMA, VERSION, graph_object, to_json


def test_the_schema(any_graph):
    data = json.loads(to_json(any_graph))
    assert (data["schema"], data["version"]) == (SCHEMA, VERSION)
    ids = {node["id"] for node in data["nodes"]}
    assert ids == set(any_graph.nodes)
    assert all(node["twin"] is None or node["twin"] in ids for node in data["nodes"])
    assert all({edge["tail"], edge["head"]} <= ids for edge in data["edges"])
    clusters = {cluster["id"] for cluster in data["clusters"]}
    assert {node["cluster"] for node in data["nodes"]} <= {None, *clusters}


def test_a_node_tells_what_it_made(draw, scripts):
    data = graph_object(draw(scripts["split"]))
    split = next(
        node for node in data["nodes"] if node["title"].startswith("split") and node["side"] == "forward"
    )
    assert [result["name"] for result in split["results"]] == ["left", "right"]
    assert split["results"][0]["data"] == [[1.0, 2.0]]
    assert split["results"][0]["bytes"] == 8


def test_nan_is_valid_json(draw):
    graph = draw("x = paddle.to_tensor([float('nan')], stop_gradient=False)\n(x * 2).sum().backward()")
    assert "NaN" not in re.sub(r'"[^"]*"', "", to_json(graph))


def test_json_takes_every_text(hostile):
    assert json.loads(to_json(hostile))["nodes"][0]["title"] == hostile.title


def test_every_step_has_a_sentence(any_graph):
    said = sentences(any_graph)
    assert list(said) == list(any_graph.nodes)
    assert all(sentence.endswith(".") and len(sentence.split()) > 2 for sentence in said.values())


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("scale", "scale computes loss [1] = 6 from x."),
        ("scale_grad", "scale_grad takes loss@GRAD and gives back x@GRAD [1] = 2."),
        ("x.grad", "The gradient has arrived: x.grad [1] = 2."),
    ],
)
def test_sentences(draw, title, said):
    graph = draw("x = paddle.to_tensor([3.0], stop_gradient=False)\nloss = x * 2\nloss.backward()")
    told = {graph.nodes[id_].title: sentence for id_, sentence in sentences(graph).items()}
    assert told[title] == said


def test_what_paddle_grad_returns_is_stored_nowhere(draw):
    graph = draw("x = paddle.to_tensor([3.0], stop_gradient=False)\n(g,) = paddle.grad(x * 2, x)")
    (node,) = [node for node in graph.nodes.values() if node.kind == "store"]
    assert node.title == "x@GRAD returned by paddle.grad"
    assert (
        sentences(graph)[node.id]
        == "paddle.grad returns the gradient, and stores it nowhere: x@GRAD [1] = 2."
    )
