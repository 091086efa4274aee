"""What the sentences say went in did go in; what stands for several is called after all of them."""

import re

import pytest
from hypothesis import given

from minipaddle.tools.page.story import sentences
from minipaddle.tools.picture.model.collapse import sums_together
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.words.numbers import clean
from tests.support.bare import without_numbers
from tests.support.closing import close_deeper
from tests.support.page import SQUASH
from tests.support.random_training import different, trainings

RNN = """
Wx = paddle.full([3, 4], 0.1)
Wh = paddle.full([4, 4], 0.2)
Wx.stop_gradient = Wh.stop_gradient = False
h = paddle.zeros([2, 4])
for t in range(20):
    x = paddle.ones([2, 3])
    h = paddle.tanh(paddle.matmul(x, Wx) + paddle.matmul(h, Wh))
loss = h.sum()
loss.backward()
"""


def said_to_go_in(sentence):
    """Return the names behind ``takes`` or ``from``, without counts; None where many are left out."""
    found = re.search(
        r" (?:takes|from) (.+?)(?: with | and gives back | and is where |, \d+ times| \(|\.$)", sentence
    )
    if found is None or found[1] == "nothing":
        return []
    names = re.split(r" and (?!\d+ more)|, | and \d+ more", found[1])
    return [re.sub(r" ×\d+$", "", name) for name in names if name]


def ends_of(name):
    """Return the first and the last name of a series, ``h_0…28``; else the name."""
    series = re.fullmatch(r"(.*?)(\d+)…(\d+)(.*)", name)
    return [f"{series[1]}{end}{series[4]}" for end in series.group(2, 3)] if series else [name]


def went_in(trace, node):
    """Return the names of the inputs of a node's event and its body, or of all events that it stands for."""
    events = [trace.events[one.event] for one in node.rounds or (node,)]
    events += [trace.events[event.body[0]] for event in events if event.body]
    return {clean(value.name) for event in events for value in trace.known(event.inputs)}


def check(trace, graph):
    trace = graph.trace
    said = sentences(without_numbers(graph))
    checked = 0
    for id_, node in graph.nodes.items():
        if node.event is None or node.kind in ("layer", "layer_grad"):
            continue
        names = said_to_go_in(said[id_])
        known = went_in(trace, node)
        assert {end for name in names for end in ends_of(name)} <= known, said[id_]
        checked += bool(names)
    return checked


@given(trainings())
def test_every_name_behind_takes_and_from_went_into_that_event(training):
    trace, _ = training.recorded(different(training.parameters))
    for number in trace.pass_numbers:
        assert check(trace, mirror(trace, number))


def test_of_every_script_and_of_what_is_folded(record, scripts):
    for source in (*scripts.values(), RNN):
        trace = record(source)
        graph = mirror(trace)
        assert check(trace, graph)
        assert check(trace, fold(graph))


def test_of_several_results_the_one_that_was_taken_is_named(draw, scripts):
    graph = draw(scripts["split"])
    said = sentences(without_numbers(graph))
    (product,) = [said[node.id] for node in graph.nodes.values() if node.title == "multiply"]
    (backward,) = [
        said[node.id] for node in graph.nodes.values() if len(node.takes) == 2 and node.kind == "grad"
    ]
    assert "from left and right" in product
    assert "takes left@GRAD and right@GRAD and gives back x@GRAD [1, 4]" in backward


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("c = x > 0\ny = paddle.where(c, x, x * 2)\ny.sum().backward()", "from c, x and scale_2."),
        ("(g,) = paddle.grad(x * x, x, create_graph=True)\ng.backward()", "from x@GRAD #1 and x@GRAD #2."),
    ],
)
def test_all_that_an_operator_takes_is_told(draw, lines, said):
    told = sentences(without_numbers(draw(f"x = paddle.to_tensor(3.0, stop_gradient=False)\n{lines}")))
    assert any(one.endswith(said) for one in told.values()), told


def test_a_pylayer_takes_what_it_was_applied_to(draw, scripts):
    graph = draw(scripts["pylayer"])
    (scaled,) = [node.id for node in graph.nodes.values() if node.kind == "pylayer"]
    assert "computes s [2] from a and b" in sentences(without_numbers(graph))[scaled]


def test_a_closed_layer_takes_what_comes_from_outside(draw):
    graph = close_deeper(
        draw(
            "net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.ReLU())\n"
            "x = paddle.ones([4, 2])\nloss = net(x).sum()\nloss.backward()"
        ),
        0,
    )
    said = [
        sentences(without_numbers(graph))[node.id] for node in graph.nodes.values() if node.kind == "layer"
    ]
    assert ["from x" in one and "weight" not in one for one in said] == [True]


INTO_A_LAYER = """
class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x, by):
        left, right = paddle.split(self.fc(x) * by, 2, axis=1)
        return right

net = Net()
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
x = paddle.to_tensor([[1.0, 1.0]])
by = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
for _ in range(2):
    loss = net(x, by).sum()
    loss.backward()
    optimizer.step()
"""


def test_what_the_user_gave_a_layer_is_no_part_of_it(draw):
    open_ = draw(INTO_A_LAYER)
    framed = {
        node.title for node in open_.nodes.values() if node.kind in ("data", "parameter") and node.cluster
    }
    assert framed == {"fc.weight", "fc.bias"}
    graph = close_deeper(open_, 0)
    said = sentences(without_numbers(graph))
    (layer,) = [node for node in graph.nodes.values() if node.kind == "layer"]
    second = layer.results[0].name
    assert second == "right"
    assert said[layer.id] == f"net: Net computes {second} [1, 1] from x and by (4 operators, 2 parameters)."
    assert layer.where == "script.py:8"  # of the second step, where an optimizer has changed the parameters
    (back,) = [node for node in graph.nodes.values() if node.kind == "layer_grad"]
    assert said[back.id] == (
        f"net: Net backward takes {second}@GRAD and gives back by@GRAD [2] (4 rules, 2 gradients stored)."
    )


BLOCKS = f"""{SQUASH}
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        h = Squash.apply(self.fc(x))
        h.register_hook(lambda grad: grad * 1)
        return x + h * h + Squash.apply(h)

net = paddle.nn.Sequential(*[Block() for _ in range(3)])
loss = net(paddle.ones([2, 2])).sum()
loss.backward()
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
optimizer.step()
"""


def test_a_closed_frame_counts_calls(draw):
    graph = close_deeper(draw(BLOCKS), 1)
    said = list(sentences(without_numbers(graph)).values())
    assert [one.split(" (")[1] for one in said if " Block computes " in one] == [
        "7 operators, 2 parameters)."
    ] * 3
    back = [one for one in said if " Block backward takes " in one]
    assert [one.split(" (")[1] for one in back] == ["7 rules, 2 gradients stored)."] * 3
    assert all(
        re.search(r"backward takes \w+@GRAD( #\d)? and (gives back \w+@GRAD|is where)", one) for one in back
    ), back
    assert not any(one.startswith("hook") for one in said)


def test_a_frozen_parameter_is_one_of_its_layer(draw):
    graph = close_deeper(
        draw(
            "one = paddle.nn.Linear(2, 2)\none.bias.stop_gradient = True\n"
            "norm = paddle.nn.BatchNorm1D(2)\nloss = norm(one(paddle.ones([2, 2]))).sum()\nloss.backward()"
        ),
        0,
    )
    said = [one.split(" (")[1] for one in sentences(without_numbers(graph)).values() if "Linear" in one]
    assert said == ["2 operators, 2 parameters).", "2 rules, 1 gradient stored)."]
    (norm,) = [one for one in sentences(without_numbers(graph)).values() if "BatchNorm1D computes" in one]
    assert norm.endswith("(1 operator, 2 parameters).")  # what it averages is none


def test_sums_that_are_drawn_as_one_say_how_many_met(draw):
    graph = sums_together(close_deeper(draw(BLOCKS), 9))
    said = [one for one in sentences(without_numbers(graph)).values() if "are added" in one]
    assert {one.split(" meet")[0] for one in said} == {"Two gradients", "3 gradients"}


def test_sums_that_are_drawn_as_one_may_be_of_many(draw):
    script = (
        "cell = paddle.nn.SimpleRNNCell(2, 2)\nh = paddle.zeros([1, 2])\n"
        "for t in range(50):\n    out, h = cell(paddle.ones([1, 2]), h)\nh.sum().backward()"
    )
    graph = fold(sums_together(close_deeper(draw(script), 0)))
    said = [one for one in sentences(without_numbers(graph)).values() if "are added" in one]
    assert {one.split(" meet")[0] for one in said} == {"50 gradients"}
    assert any("are added, 2 times: " in one for one in said)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [(1, "changes 2 parameters: 0.fc.weight"), (2, "changes 2 parameters, 4 times: 0.fc.weight ×2 [2, 2]")],
)
def test_an_optimizer_changes_so_many_parameters(draw, steps, expected):
    graph = close_deeper(draw(BLOCKS + "optimizer.step()\n" * (steps - 1)), 1)
    assert any(expected in said for said in sentences(without_numbers(graph)).values())
    once = [node for node in draw(BLOCKS).nodes.values() if node.kind == "update"]
    assert len(once) == 6


def test_an_optimizer_changes_a_leaf_and_has_not_made_it(draw):
    graph = draw(BLOCKS + "net(paddle.ones([2, 2])).sum().backward()")
    leaves = [said for said in sentences(without_numbers(graph)).values() if "is a leaf" in said]
    assert leaves
    assert not any("made by" in said for said in leaves)


@pytest.mark.parametrize("kind", ["tanh", "add", "matmul_grad"])
def test_what_is_folded_is_called_after_all_rounds(draw, kind):
    folded = fold(draw(RNN))
    boxes = [node for node in folded.nodes.values() if node.title == kind and node.count > 1]
    expected = {"tanh": r"h ×20 \[2, 4\]", "add": r"add_\d+…\d+ \[2, 4\]", "matmul_grad": "Wh@GRAD #1…20 "}
    assert any(re.search(expected[kind], line) for node in boxes for line in label(node))


def test_rungs_of_what_is_folded_say_all_that_is_kept(draw):
    labels = {edge.label for edge in fold(draw(RNN)).edges if edge.kind == "saved"}
    assert "h ×20" in labels
    assert any(re.fullmatch(r"h ×20, Wh ×19|h ×19, Wh ×19|h ×20, Wh ×20", one) for one in labels), labels


@pytest.mark.parametrize(
    ("made", "given", "began"),
    [("(x * x).sum()", "", " [] = 1."), ("x * x", "paddle.to_tensor([2.0, 2.0])", " [2] = 2, 2.")],
)
def test_backward_starts_with_what_it_was_given(draw, made, given, began):
    graph = draw(
        f"x = paddle.to_tensor([2.0, 2.0], stop_gradient=False)\nloss = {made}\nloss.backward({given})"
    )
    (seed,) = [sentences(graph)[node.id] for node in graph.nodes.values() if node.kind == "seed"]
    assert seed == f"Backward starts with loss@GRAD{began}"


def shares_into(graph):
    """Return for each sum what its arrows say, and what they add up to."""
    into = {}
    for edge in graph.edges:
        if edge.kind == "gradient" and graph.nodes[edge.head].kind == "accumulate":
            into.setdefault(edge.head, []).append(edge)
    return [([edge.label for edge in edges], [edge.share for edge in edges]) for edges in into.values()]


def test_shares_of_a_sum_that_stands_for_others_are_of_the_whole(draw):
    graph = draw("x = paddle.ones([2])\nx.stop_gradient = False\n(x * 2 + x * 3 + x * 5).sum().backward()")
    ((labels, parts),) = shares_into(sums_together(graph))
    assert sorted(labels) == ["+2, +2", "+3, +3", "+5, +5"]
    assert sum(parts) == pytest.approx(1)


def test_arrows_that_are_drawn_as_one_bear_the_sum_of_their_shares(draw):
    layer = "one = paddle.nn.Linear(1, 1)\nx = paddle.ones([2, 1])\nx.stop_gradient = False\n"
    twice = "class Twice(paddle.nn.Layer):\n    def forward(self, x):\n        return x * 1 + x * 2\n"
    graph = draw(
        f"{twice}x = paddle.ones([1])\nx.stop_gradient = False\nloss = Twice()(x) + x * 7\nloss.backward()"
    )
    for labels, parts in shares_into(close_deeper(sums_together(graph), 0)):
        assert sum(parts) == pytest.approx(1), labels
    many = draw(f"{layer}h = x\nfor _ in range(12):\n    h = one(h)\nh.sum().backward()")
    for labels, _ in shares_into(fold(sums_together(close_deeper(many, 0)))):
        assert labels == [""]
