"""What colours say: numbers of nodes; and that nothing says them where the file is to be shared."""

import pytest

from minipaddle.tools.picture.model.measures import measure, places
from minipaddle.tools.picture.options import Options, shaped

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


@pytest.mark.parametrize("option", ["highlight", "collapse"])
def test_a_pattern_that_is_found_nowhere_is_told(draw, option):
    graph = draw(NET)
    assert f"nothing to {option} is like 'zzz'" in shaped(graph, Options(**{option: "zzz"})).subtitle
    assert "nothing to" not in shaped(graph, Options(**{option: "Linear|matmul"})).subtitle
