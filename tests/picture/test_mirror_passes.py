"""What is in the picture of a pass that is one of several, that raised, or that leaves something out."""

import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.model.labels import details
from minipaddle.tools.picture.model.mirror import NoBackward, mirror
from minipaddle.tools.record import Recorder
from tests.support.drawn import by_title, edges


def test_the_second_pass_goes_through_the_rules_of_the_first(draw, scripts):
    graph = draw(scripts["double"])
    assert graph.subtitle.endswith("pass 2 of 2")
    # one connected run from x: what the tape kept is recognised, not drawn as data from nowhere
    assert [node.title for node in graph.nodes.values() if node.kind == "parameter"] == ["x"]
    assert all("@GRAD" in node.title for node in graph.nodes.values() if node.kind == "data")
    tanh = by_title(graph, "tanh")
    assert len({edge.head for edge in graph.edges if edge.tail == tanh.id and edge.kind == "value"}) >= 1
    assert any("g [2]" in line for node in graph.nodes.values() for line in details(node))


RECOMPUTE = """
class Recompute(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return paddle.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        again = x.detach()
        again.stop_gradient = False
        with paddle.enable_grad():
            y = paddle.sin(again)
        paddle.autograd.backward([y], [dy])
        return again.grad

x = paddle.to_tensor([0.5], stop_gradient=False)
loss = Recompute.apply(x * 2).exp()
loss.backward()
"""


def test_a_pass_within_a_pass_belongs_to_the_outer_one(draw):
    graph = draw(RECOMPUTE)
    assert graph.pass_number == 1
    assert {"exp_grad", "Recompute_grad", "scale_grad", "x.grad"} <= {
        node.title for node in graph.nodes.values()
    }


def test_a_gradient_that_was_asked_for_on_the_way_is_returned(draw):
    begin = "x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)\ny = x * x\nloss = (y * 1).sum()\n"
    graph = draw(begin + "paddle.grad(loss, [y, x])")
    boxes = {node.title: node.results for node in graph.nodes.values() if node.kind == "store"}
    assert {title: value.array.tolist() for title, (value,) in boxes.items()} == {
        "y@GRAD returned by paddle.grad": [1, 1],
        "x@GRAD returned by paddle.grad": [2, 2],
    }
    assert {
        ("scale_grad", "y@GRAD returned by paddle.grad", ""),
        ("scale_grad", "multiply_grad", ""),
    } <= edges(graph, "gradient")
    assert "where a gradient ends" in to_dot(graph)
    assert ".grad of a leaf" not in to_dot(graph)
    graph = draw(begin + "paddle.grad(loss, [y])")
    assert "multiply_grad" not in {node.title for node in graph.nodes.values()}, "its rule was not run"
    assert by_title(graph, "multiply").state == ""
    assert by_title(graph, "x").state == "gradient not reached"
    assert graph.subtitle == "3 ops forward, 2 backward, pass 1 of 1"


def test_what_runs_again_in_a_backward_is_no_gradient(draw):
    graph = draw(
        "from minipaddle.paddle.distributed.fleet.utils import recompute\n"
        "w = paddle.to_tensor([1.0, 1.0], stop_gradient=False)\n"
        "x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)\n"
        "recompute(lambda h: paddle.tanh(h * w), x).sum().backward()\n"
    )
    again = [edge for edge in graph.edges if edge.head.startswith("b") and edge.kind != "order"]
    joined = {(graph.nodes[edge.tail].title, graph.nodes[edge.head].title, edge.kind) for edge in again}
    assert joined == {("h", "multiply", "value"), ("w", "multiply", "value"), ("multiply", "tanh", "value")}
    # the tape of the inner pass has kept them, and nothing was saved of the outer one
    of_again = {(tail, head) for tail, head, _ in edges(graph, "saved") if head != "sum_grad"}
    assert of_again == {("tanh", "tanh_grad"), ("multiply", "multiply_grad")}
    assert ("sum_grad", "tanh_grad", "") in edges(graph, "gradient")


MASKED = """
two = paddle.to_tensor([2.0, 2.0])

class Masked(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return paddle.exp(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        mask = (paddle.abs(x) < two).astype(x.dtype)
        return paddle.to_tensor(dy.detach().numpy()) * mask + dy * two

x = paddle.to_tensor([2.0, 2.0], stop_gradient=False)
Masked.apply(x).sum().backward()
"""


def test_a_mask_and_a_number_at_hand_are_no_gradients(draw):
    graph = draw(MASKED)
    read = {edge for edge in edges(graph, "value") if edge[1] in ("abs", "less_than", "cast")}
    assert read == {("abs", "less_than", ""), ("less_than", "cast", "")} | {("two", "less_than", "")}
    assert {("cast", "multiply", ""), ("two", "multiply", "")} <= edges(graph, "value")
    assert edges(graph, "saved") == {("Masked", "abs", "x")}
    # what a gradient goes into goes on as one, also by way of NumPy
    assert {("sum_grad", "multiply", ""), ("multiply", "add", ""), ("add", "Masked_grad", "")} <= edges(
        graph, "gradient"
    )


TWICE_RECOMPUTED = """
from minipaddle.paddle.distributed.fleet.utils import recompute

x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
for _ in range(2):
    loss = recompute(paddle.tanh, recompute(paddle.tanh, x)).sum()
    loss.backward()
"""


def test_a_pass_within_a_pass_is_not_counted(draw, record):
    assert draw(TWICE_RECOMPUTED).subtitle.endswith("pass 2 of 2")
    assert draw(RECOMPUTE).subtitle.endswith("pass 1 of 1")
    trace = record(TWICE_RECOMPUTED)
    assert (trace.passes, trace.pass_numbers, trace.last_pass) == (2, [1, 2], 2)
    inner = [event for event in trace.events if event.kind == "backward" and event.depth]
    assert [trace.pass_of(event) for event in inner] == [1, 1, 2, 2]
    assert len({event.pass_number for event in inner}) == 4
    with pytest.raises(NoBackward, match="there is no pass 3: the script ran 2 backward passes"):
        mirror(trace, 3)


def test_what_a_pass_within_a_pass_stores_has_arrived(draw):
    graph = draw(
        "from minipaddle.paddle.distributed.fleet.utils import recompute\n"
        "one = paddle.nn.Linear(2, 2)\nx = paddle.ones([2, 2])\nx.stop_gradient = False\n"
        "y = recompute(one, recompute(one, x))\nloss = y.sum()\nloss.backward()\n"
        "paddle.optimizer.SGD(0.1, parameters=one.parameters()).step()"
    )
    leaves = {node.title: node.state for node in graph.nodes.values() if node.kind == "parameter"}
    assert leaves["one.weight"] == leaves["one.bias"] == leaves["x"] == ""
    stores = [node for node in graph.nodes.values() if node.title == "one.weight.grad"]
    assert [node.state for node in stores] == ["", "added to what was there"]
    assert [graph.clusters[node.cluster].title for node in stores] == ["RecomputeFunction.backward"] * 2
    assert {("sum_grad", "add_grad", ""), ("v12.grad", "RecomputeFunction_grad", "")} <= edges(
        graph, "gradient"
    )
    assert ("sum_grad", "RecomputeFunction_grad", "") not in edges(graph, "gradient")
    assert [node.title for node in graph.nodes.values() if node.kind == "seed"] == ["loss@GRAD"]
    updated = {graph.nodes[edge.tail].title for edge in graph.edges if edge.kind == "update"}
    assert updated == {"one.weight.grad", "one.bias.grad"}


def test_each_pass_can_be_asked_for(record):
    trace = record(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\n"
        "for factor in (2.0, 3.0):\n    loss = x * factor\n    loss.backward()"
    )
    seen = [details(by_title(mirror(trace, number), "scale_grad")) for number in (1, 2)]
    assert seen == [("x@GRAD [1] 2",), ("x@GRAD [1] 3",)]
    assert details(by_title(mirror(trace), "x.grad")) == ("[1]", "5", "added to what was there: 2")
    assert details(by_title(mirror(trace, 1), "x.grad")) == ("[1]", "2")
    with pytest.raises(NoBackward, match="no pass 9: the script ran 2 backward passes"):
        mirror(trace, 9)


def test_without_backward_there_is_nothing_to_draw(record):
    with pytest.raises(NoBackward, match=r"loss\.backward\(\)"):
        mirror(record("paddle.to_tensor([1.0]) * 2"))


def test_a_gradient_that_was_cleared_in_between_is_no_part_of_the_sum(draw):
    graph = draw(
        "x = paddle.to_tensor([1.0], stop_gradient=False)\n"
        "for factor in (2.0, 3.0):\n    (x * factor).backward()\n    x.clear_gradient(True)\n"
        "(x * 4.0).backward()"
    )
    assert details(by_title(graph, "x.grad")) == ("[1]", "4")


def test_a_pass_that_raised_is_marked_where_it_stopped(draw):
    graph = draw(
        """
        x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
        h = x * 2
        e = h.exp()
        e.add_(paddle.ones([2]))
        try:
            (e.sum() + (x + 1).sum()).backward()
        except RuntimeError:
            pass
        """
    )
    assert by_title(graph, "exp").state == "backward raised RuntimeError here"
    assert by_title(graph, "x").state == "gradient not stored: backward raised RuntimeError"


def test_a_script_that_raises_after_its_pass_has_broken_nothing_off():
    recorder = Recorder("script.py")
    with watching(recorder):
        x = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
        y = paddle.to_tensor([1.0, -2.0], stop_gradient=False)
        (x * 2 + y.argmax()).sum().backward()
    recorder.failed(ZeroDivisionError())
    states = {node.title: node.state for node in mirror(recorder.finish()).nodes.values()}
    assert (states["x"], states["y"]) == ("", "gradient not reached")


def test_what_paddle_grad_returns_is_not_stored(draw):
    graph = draw("x = paddle.to_tensor([1.0], stop_gradient=False)\n(g,) = paddle.grad((x * 3.0).sum(), x)")
    assert by_title(graph, "x@GRAD returned by paddle.grad").kind == "store"


ASIDE = """
    u = paddle.to_tensor([1.0], stop_gradient=False)
    x = paddle.to_tensor([2.0], stop_gradient=False)
    side = u * 3
    with paddle.no_grad():
        x * 5
    for _ in range({rounds}):
        side = side * 2
    loss = x * 4
    loss.backward()
"""


def test_what_does_not_lead_to_the_loss_is_drawn(draw):
    graph = draw(ASIDE.format(rounds=0))
    assert by_title(graph, "u").state == "gradient not reached"
    states = {node.results[0].name: node.state for node in graph.nodes.values() if node.title == "scale"}
    assert states == {"side": "gradient not reached", "loss": ""}
    assert graph.subtitle.endswith(
        ", 1 operator does not lead to what backward began with, 1 operator leads nowhere: scale"
    )


def test_much_that_does_not_lead_to_the_loss_is_only_counted(draw):
    graph = draw(ASIDE.format(rounds=60))
    assert "u" not in {node.title for node in graph.nodes.values()}
    assert graph.subtitle.endswith(
        ", 61 operators do not lead to what backward began with, 1 operator leads nowhere: scale"
    )


def test_what_earlier_steps_left_behind_is_data(record):
    trace = record(
        """
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.BatchNorm1D(3))
        optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        for step in range(3):
            net(paddle.to_tensor([[1.0, 2.0], [4.0, 3.0]])).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
        """
    )
    sizes = [
        sum(node.side == "forward" and node.kind == "op" for node in mirror(trace, number).nodes.values())
        for number in (1, 2, 3)
    ]
    assert sizes == [4, 4, 4]


def test_a_body_stands_between_what_comes_in_and_what_goes_out(draw):
    graph = draw(RECOMPUTE)  # its operators are joined to neither
    assert {("exp_grad", "sin", ""), ("sin", "Recompute_grad", "")} <= edges(graph, "order")
