"""What colours say: numbers of nodes; and that nothing says them where the file is to be shared."""

from dataclasses import replace

import pytest

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.measures import measure, places
from minipaddle.tools.picture.options import Options, shaped, styled
from tests.support.closing import close_deeper

NET = """
net = paddle.nn.Sequential(*[paddle.nn.Linear(2, 2) for _ in range(4)])
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
loss = net(paddle.ones([3, 2])).sum()
loss.backward()
optimizer.step()
"""


def test_what_is_not_finite_is_counted(draw):
    graph = draw(
        "x = paddle.to_tensor([0.0, 4.0], stop_gradient=False)\ny = paddle.sqrt(x)\n(y * 0).sum().backward()"
    )
    numbers = {graph.nodes[id_].title: count for id_, count in measure(graph, "nan").items()}
    assert numbers["sqrt"] == 0
    assert numbers["sqrt_grad"] == 1  # 0 / 0
    assert places({"a": 0.0, "b": 0.0}) == {"a": 0.0, "b": 0.0}, "nowhere one: nothing is strong"


@pytest.mark.parametrize("product", ["x * y", "y * x"])
def test_the_largest_is_that_of_what_is_known(draw, product):
    graph = draw(
        "x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"
        f"y = paddle.to_tensor([float('inf')], stop_gradient=False)\n({product}).sum().backward()"
    )
    node = next(node for node in graph.nodes.values() if len(node.results) == 2)
    assert measure(graph, "grad")[node.id] == 3, "the other gradient is infinite: it has no norm"


def test_times_are_added_where_nodes_are_drawn_as_one(draw, scripts):
    def took(graph, side):
        return sum(node.seconds for node in graph.nodes.values() if node.seconds and node.side == side)

    net = draw(NET)
    for side in ("forward", "backward", "update"):
        assert took(net, side) > 0
        for smaller in (fold(net), close_deeper(net, 0)):
            assert len(smaller.nodes) < len(net.nodes)
            assert took(smaller, side) == pytest.approx(took(net, side))
    layer = draw(scripts["pylayer"])
    (whole,) = [node for node in layer.nodes.values() if node.kind == "pylayer"]
    (closed,) = [node for node in close_deeper(layer, 0).nodes.values() if node.kind == "pylayer"]
    assert closed.seconds == whole.seconds, "what ran inside is in its time already"


def test_without_times_nothing_is_coloured_by_time(draw):
    net = draw(NET)
    assert "time it took, from" in styled(net, Options(color_by="time")).scale
    for node in net.nodes.values():
        net.nodes[node.id] = replace(node, seconds=None)
    with pytest.raises(BadOption, match="no times in this recording"):
        styled(net, Options(color_by="time"))


@pytest.mark.parametrize("option", ["highlight", "collapse"])
def test_a_pattern_that_is_found_nowhere_is_told(draw, option):
    graph = draw(NET)
    assert f"nothing to {option} is like 'zzz'" in shaped(graph, Options(**{option: "zzz"})).subtitle
    assert "nothing to" not in shaped(graph, Options(**{option: "Linear|matmul"})).subtitle
