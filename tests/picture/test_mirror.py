"""What is in the picture: who is joined to whom, and by which name."""

import pytest

from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.model.graph import rows_of
from minipaddle.tools.picture.model.labels import details, label
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.model.outcome import LOOKED_ON
from tests.support.drawn import by_title, edges


def test_each_rule_stands_opposite_its_operator(any_graph):
    rows = list(any_graph.rows())
    assert rows
    for forward, backward in rows:
        left, right = any_graph.nodes[forward], any_graph.nodes[backward]
        assert (left.side, right.side) == ("forward", "backward")
        inside = right.kind == "op" or (right.kind == "pylayer_grad" and right.body in any_graph.clusters)
        assert inside or right.title in (f"{left.title}_grad", f"{left.title}.grad")
    rules = [node for node in any_graph.nodes.values() if node.kind in ("grad", "pylayer_grad")]
    assert all(node.twin for node in rules)


THREE = """
class Three(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x + 1.0, x - 1.0

    @staticmethod
    def backward(ctx, a, b):
        return (a * 2.0 + b).tanh(){more}

x = paddle.to_tensor([1.0], stop_gradient=False)
p, q = Three.apply(x.sqrt())
(p * q).backward()
"""


@pytest.mark.parametrize("more", ["", ".exp().sin()"])
def test_the_inside_of_a_backward_stands_beside_that_of_its_forward(draw, more):
    graph = draw(THREE.format(more=more))
    rows = rows_of(graph, "mirror")
    sides = [[node for node in graph.nodes.values() if node.side == one] for one in ("forward", "backward")]
    insides = [[rows[node.id] for node in side if node.cluster] for side in sides]
    forth, back = (sorted(inside, reverse=True) for inside in insides)
    assert insides == [forth[::-1], back]  # one runs down, one up
    assert back[: len(forth)] == forth
    others = {rows[node.id] for node in sides[0] if not node.cluster}
    assert rows[by_title(graph, "sqrt_grad").id] == rows[by_title(graph, "sqrt").id] < back[-1]
    assert others.isdisjoint(back)


def test_a_value_comes_before_those_that_use_it(any_graph):
    place = {id_: number for number, id_ in enumerate(any_graph.nodes)}
    assert all(place[edge.tail] < place[edge.head] for edge in any_graph.edges)


def test_gradients_flow_on_the_right_only(any_graph):
    for edge in any_graph.edges:
        sides = any_graph.nodes[edge.tail].side, any_graph.nodes[edge.head].side
        passes = any_graph.nodes[edge.tail].earlier, any_graph.nodes[edge.head].earlier
        kept_for_an_earlier_rule = edge.kind == "saved" and passes[0] < passes[1]
        if edge.kind == "value" and sides[1] == "backward":  # a mask in the body of a PyLayer
            assert any_graph.clusters[any_graph.nodes[edge.head].cluster].kind == "body"
            continue
        assert (
            sides
            == {
                "value": ("forward", "forward"),
                "gradient": ("backward", "backward"),
                "order": ("backward", "backward"),
                "saved": ("forward", "forward" if kept_for_an_earlier_rule else "backward"),
            }[edge.kind]
        )


def test_a_chain_from_end_to_end(draw):
    graph = draw("x = paddle.to_tensor([1.0], stop_gradient=False)\nloss = (x * 2).exp()\nloss.backward()")
    assert edges(graph, "value") == {("x", "scale", ""), ("scale", "exp", "")}
    assert edges(graph, "gradient") == {
        ("loss@GRAD", "exp_grad", ""),
        ("exp_grad", "scale_grad", ""),
        ("scale_grad", "x.grad", ""),
    }
    assert edges(graph, "saved") == {("exp", "exp_grad", "loss")}
    assert details(by_title(graph, "x.grad")) == ("[1]", "14.78")


def test_contributions_are_added_one_by_one(draw, scripts):
    graph = draw(scripts["shared"])
    sums = [node for node in graph.nodes.values() if node.kind == "accumulate"]
    assert len(sums) == 3  # x is used four times
    for node in sums:
        assert len([edge for edge in graph.edges if edge.head == node.id and edge.kind == "gradient"]) in (
            1,
            2,
        )
        (out,) = [edge for edge in graph.edges if edge.tail == node.id]
        assert out.label.split("; ")[0].replace("+", "") == details(node)[-1]
        assert label(node) == ("+",)


def test_what_a_pylayer_saved_counts_as_saved(record, scripts):
    trace = record(scripts["numpy"])
    (event,) = [event for event in trace.events if event.op == "pylayer"]
    assert [trace.values[id_].name for id_ in event.saved] == ["out"]
    assert ("NumpyExp", "NumpyExp_grad", "out") in edges(mirror(trace), "saved")


def test_the_inside_of_a_pylayer(draw, scripts):
    graph = draw(scripts["pylayer"])
    assert {(cluster.title, cluster.side) for cluster in graph.clusters.values()} == {
        ("Scaled.forward", "forward"),
        ("Scaled.backward", "backward"),
    }
    inside = {node.title for node in graph.nodes.values() if node.cluster and node.side == "forward"}
    assert inside == {"exp", "multiply", "Scaled"}
    # what ctx kept comes from the PyLayer, not from wherever it was made
    assert {(tail, label) for tail, _, label in edges(graph, "saved")} == {("Scaled", "a"), ("Scaled", "b")}
    # the gradient that comes in is joined to the operators that use it
    assert ("sum_grad", "multiply", "") in edges(graph, "gradient")
    assert ("sum_grad", "Scaled_grad", "") not in edges(graph, "gradient")
    assert ("sum_grad", "exp", "") in edges(graph, "order")


def test_names_are_the_callers(draw, scripts):
    graph = draw(scripts["pylayer"])  # forward calls them x and w
    assert {node.title for node in graph.nodes.values() if node.kind == "parameter"} == {"a", "b"}


def test_outputs_of_a_split_are_told_apart(draw, scripts):
    assert {
        label for tail, _, label in edges(draw(scripts["split"]), "value") if tail == "split_with_num"
    } == {"left", "right"}


def test_a_hook_stands_between(draw, scripts):
    graph = draw(scripts["hook"])
    name = "hook <lambda>"
    assert {("sum_grad", name, ""), (name, "scale_grad", "")} <= edges(graph, "gradient")
    assert label(by_title(graph, name)) == (name, "script.py:4", "y@GRAD [2] 2, 2")
    assert by_title(graph, name).kind == "hook"


HOOKS = """
def look(grad):
    seen.append(float(grad.sum()))

class Halve:
    def __call__(self, grad):
        return grad * 0.5

seen = []
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
h = x * w
h.register_hook(look)
h.register_hook(Halve())
h.register_hook(look)
x.register_hook(look)
w.register_hook(lambda grad: grad * 10)
(h + h).sum().backward()
"""


def test_what_a_hook_hands_to_the_next_is_a_gradient(draw):
    graph = draw(
        "x = paddle.ones([2, 2])\nx.stop_gradient = False\ny = x * 1\n"
        "y.register_hook(lambda grad: grad * 3)\ny.register_hook(lambda grad: grad * 2)\ny.sum().backward()"
    )
    hooks = [node for node in graph.nodes.values() if node.kind == "hook"]
    assert [details(node) for node in hooks] == [("y@GRAD #2 [2, 2] norm 6",), ("y@GRAD [2, 2] norm 12",)]


def test_each_hook_stands_on_the_way_of_its_gradient_with_its_name_and_line(draw):
    graph = draw(HOOKS)
    hooks = [node for node in graph.nodes.values() if node.kind == "hook"]
    assert [label(node) for node in hooks] == [
        ("hook look", "script.py:2", "h@GRAD #1+2 [2] 2, 2", LOOKED_ON),
        ("hook Halve", "script.py:6", "h@GRAD [2] 1, 1"),
        ("hook look", "script.py:2", "h@GRAD [2] 1, 1", LOOKED_ON),
        ("hook <lambda>", "script.py:17", "w@GRAD [2] 10, 20"),
        ("hook look", "script.py:2", "x@GRAD [2] 3, 4", LOOKED_ON),
    ]
    rule, x_grad, w_grad = (by_title(graph, title).id for title in ("multiply_grad", "x.grad", "w.grad"))
    first, second, third, at_w, at_x = (node.id for node in hooks)
    flow = {(edge.tail, edge.head) for edge in graph.edges if edge.kind == "gradient"}
    assert {(by_title(graph, "+").id, first), (first, second), (second, third), (third, rule)} <= flow
    assert {(rule, at_x), (at_x, x_grad), (rule, at_w), (at_w, w_grad)} <= flow
    assert not {(rule, x_grad), (rule, w_grad), (first, rule)} & flow


def test_nan_is_no_hook(draw):
    graph = draw("x = paddle.to_tensor([float('nan')], stop_gradient=False)\n((x * x) + x).sum().backward()")
    assert not [node for node in graph.nodes.values() if node.kind == "hook"]
    assert details(by_title(graph, "x.grad")) == ("[1]", "NaN: 1 of 1")


def test_in_place_writing_makes_new_values(draw):
    graph = draw(
        "x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)\ny = x * 2\n"
        "y.add_(paddle.to_tensor([1.0, 1.0]))\nloss = (y * y).sum()\nloss.backward()"
    )
    assert details(by_title(graph, "scale")) == ("y [2] 1, -2",)
    assert details(by_title(graph, "add")) == ("y [2] 2, -1",)


def test_the_model_grows_linearly(chain):
    graph = chain(400)
    assert len(graph.nodes) == 2 * 401 + 3
    assert len(graph.edges) == 401 + 402 + 400


def test_frozen_and_wanted(draw):
    graph = draw(
        "w = paddle.create_parameter([2], 'float32')\nx = paddle.to_tensor([1.0, 2.0])\n(w * x).sum().backward()"
    )
    assert by_title(graph, "w").kind == "parameter"
    assert "no gradient (stop_gradient)" in details(by_title(graph, "x"))


def test_two_gradients_in_one_array_both_enter_the_body(draw):
    graph = draw(
        """
        class Pair(paddle.autograd.PyLayer):
            @staticmethod
            def forward(ctx, x):
                return x * 1, x * 2

            @staticmethod
            def backward(ctx, da, db):
                return da + 2 * db

        x = paddle.to_tensor([1.0], stop_gradient=False)
        a, b = Pair.apply(x)
        (a + b).sum().backward()
        """
    )
    assert ("add_grad", "Pair_grad", "") not in edges(graph, "gradient")
    assert {("add_grad", "add", ""), ("add_grad", "scale", "")} <= edges(graph, "gradient")


def test_the_averages_of_a_batch_norm_want_no_gradient(draw):
    graph = draw(
        """
        norm = paddle.nn.BatchNorm1D(2)
        norm(paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]])).sum().backward()
        """
    )
    for name in ("norm._mean", "norm._variance"):
        assert (by_title(graph, name).kind, by_title(graph, name).state) == (
            "data",
            "no gradient (stop_gradient)",
        )
    assert by_title(graph, "norm.weight").kind == "parameter"


def test_a_function_of_to_static_is_called_so(draw):
    graph = draw(
        """
        class Net(paddle.nn.Layer):
            @paddle.jit.to_static
            def forward(self, x):
                return paddle.tanh(x) * 2

        x = paddle.to_tensor([1.0], stop_gradient=False)
        Net()(x).sum().backward()
        """
    )
    node = by_title(graph, "to_static: Net.forward")
    assert node.kind == "op"
    assert node.results[0].name.startswith("forward_")


def test_what_is_used_twice_has_two_arrows_and_so_have_its_two_gradients(draw):
    graph = draw("x = paddle.ones([2]) * 3; x.stop_gradient = False; (x * x).sum().backward()")
    (sum_,) = [node.id for node in graph.nodes.values() if node.kind == "accumulate"]
    (rule,) = [node.id for node in graph.nodes.values() if node.title == "multiply_grad"]
    assert [edge.tail for edge in graph.edges if edge.head == sum_] == [rule, rule]
    (product,) = [node.id for node in graph.nodes.values() if node.title == "multiply"]
    assert len([edge for edge in graph.edges if edge.head == product]) == 2
    assert to_dot(graph).count(f" -> {product} ") == 2


def test_arrows_into_a_sum_tell_their_share(draw):
    graph = draw("x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n(x * 3.0 - x).sum().backward()\n")
    (plus,) = [node for node in graph.nodes.values() if node.kind == "accumulate"]
    arrows = {graph.nodes[edge.tail].title: edge for edge in graph.edges if edge.head == plus.id}
    assert {title: edge.share for title, edge in arrows.items()} == {
        "subtract_grad": 0.25,
        "scale_grad": 0.75,
    }
    assert {edge.label for edge in arrows.values()} == {"-1, -1", "+3, +3"}
    assert plus.state == ""


def test_a_sum_of_terms_that_cancel_says_so(draw):
    graph = draw("x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n(x * 1.05 - x).sum().backward()\n")
    (plus,) = [node for node in graph.nodes.values() if node.kind == "accumulate"]
    assert plus.state == "the terms cancel"
    (out,) = [edge for edge in graph.edges if edge.tail == plus.id]
    assert out.label == "0.05, 0.05; 2% left"
