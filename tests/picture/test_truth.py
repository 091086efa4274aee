"""Every mark of a picture is true: what a frame takes and gives, what is counted, whether a gradient came, names."""

import re
from collections import Counter

from hypothesis import given

from minipaddle.tools.page.closable import closable_of
from minipaddle.tools.page.story import sentence
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.legend import head
from minipaddle.tools.picture.draw.theme import THEMES
from minipaddle.tools.picture.model.collapse import close
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.forward import true_id
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.model.outcome import NOT_REACHED, NOT_STORED, STOPPED
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.terminal import ASCII
from tests.support.drawn_scripts import of_layout, titled
from tests.support.random_training import different, trainings

RULES = ("grad", "pylayer_grad")


def named(row):
    """Return the name in a line of the tree, without the branches before it."""
    return row.name.lstrip(" |`+-")


def sums_are_in_frames_that_hold_their_terms(graph):
    for edge in graph.edges:
        node = graph.nodes[edge.head]
        if node.kind == "accumulate" and node.cluster is not None and edge.kind == "gradient":
            assert node.cluster in graph.frames_of(graph.nodes[edge.tail].cluster), (node.id, edge.tail)


def closed_frames_take_what_comes_and_give_what_was_made_inside(trace, graph):
    for id_, frame in graph.clusters.items():
        stand_in = close(graph, frame.__eq__).nodes.get(id_)
        if stand_in is None:
            continue  # the inside of an operator, which is drawn as it was
        inside = {node.id for node in graph.nodes.values() if id_ in graph.frames_of(node.cluster)}
        for node in graph.nodes.values():
            tails = {edge.tail for edge in graph.edges if edge.head == node.id}
            if node.kind in ("accumulate", "hook") and tails and tails <= inside:
                inside.add(node.id)
        made = {true_id(trace, value.id) for one in inside for value in graph.nodes[one].results}
        leaves = [node for node in map(graph.nodes.__getitem__, inside) if node.is_leaf]
        assert {true_id(trace, value.id) for value in stand_in.results} <= made, (
            frame.title,
            stand_in.results,
        )
        given = {true_id(trace, value.id) for value in stand_in.takes}
        assert not given & (made - {value.id for leaf in leaves for value in leaf.results}), frame.title


def test_a_closed_frame_takes_what_comes_to_it_and_gives_back_what_was_made_in_it(trace, graph):
    sums_are_in_frames_that_hold_their_terms(graph)
    if len(graph.nodes) < 500:
        closed_frames_take_what_comes_and_give_what_was_made_inside(trace, graph)


@given(trainings())
def test_closed_frames_of_any_training(training):
    trace, _ = training.recorded(different(training.parameters))
    for number in trace.pass_numbers:
        graph = mirror(trace, number)
        sums_are_in_frames_that_hold_their_terms(graph)
        closed_frames_take_what_comes_and_give_what_was_made_inside(trace, graph)


def test_a_layer_gives_its_own_term_of_a_sum(recordings):
    _, graph = of_layout(recordings, "wgan_gp")
    closed = close(graph, lambda frame: frame.kind == "layer")
    given = [
        value.array.tolist()
        for node in titled(closed, "critic: Sequential backward")
        for value in node.results
        if value.name.startswith("2.bias@GRAD")
    ]
    assert given == [[-1], [1]]


def test_a_layer_takes_no_gradient_that_is_only_stored_in_it(recordings):
    _, graph = of_layout(recordings, "gradient_penalty")
    closed = close(graph, lambda frame: frame.path == "2" and frame.side == "backward" and not frame.earlier)
    (node,) = [node for node in titled(closed, "2: Linear backward") if not node.earlier]
    assert [value.name for value in node.takes] == ["y@GRAD"]


def test_a_closed_rule_gives_back_the_gradient_of_its_own_operator(recordings):
    _, graph = of_layout(recordings, "gradient_penalty")
    (node,) = titled(close(graph, lambda frame: frame.kind == "rule"), "sum_grad")[:1]
    assert [value.name for value in node.results] == ["y@GRAD #1"]


def test_the_header_counts_the_boxes_outside_of_bodies(graph):
    boxes = Counter[str]()
    for node in graph.nodes.values():
        around = [graph.clusters[id_] for id_ in graph.frames_of(node.cluster) if id_ != node.body]
        if any(frame.kind == "body" for frame in around):
            continue
        if node.side == "backward":
            boxes["backward"] += node.kind in RULES
        elif not node.is_leaf and node.kind not in ("error", "store") and node.side == "forward":
            boxes["in pass" if node.earlier else "ops forward"] += 1
    said = spoken(graph.subtitle)
    told = re.findall(r"(\d+) (ops? forward|in pass|backward)", said)
    assert {re.sub("^op ", "ops ", what): int(count) for count, what in told} == +boxes, said


def test_no_gradient_came_where_that_is_said(trace, graph):
    came = {value.name for node in graph.nodes.values() if node.kind in RULES for value in node.results}
    untold = [node for node in graph.nodes.values() if node.is_leaf and node.state in (STOPPED, NOT_REACHED)]
    assert not {f"{node.title}@GRAD" for node in untold} & came
    rows = [row for row in tree_rows(graph, ASCII) if row.numbers in (STOPPED, NOT_REACHED)]
    assert not {f"{named(row)}@GRAD" for row in rows if row.what.startswith("data")} & came


def test_a_seed_of_an_earlier_pass_has_a_gradient_that_is_not_stored(recordings):
    _, graph = of_layout(recordings, "double_backward")
    (seed,) = titled(graph, "sum_1@GRAD")
    assert seed.state == NOT_STORED
    (row,) = [row for row in tree_rows(graph, ASCII) if named(row) == "sum_1@GRAD"]
    assert row.numbers == NOT_STORED


def test_what_a_gradient_goes_back_along_is_an_arrow_forward(graph):
    """The walk goes back only where a value went forth: through sums, hooks and bodies to the rule's operator."""
    forth = {(edge.tail, edge.head) for edge in graph.edges if edge.kind in ("value", "cut")}
    makers = {value.id: node.id for node in graph.nodes.values() for value in node.results}
    kept = ((value, edge.head) for edge in graph.edges if edge.kind == "saved" for value in edge.values)
    forth |= {(makers.get(value.id), head) for value, head in kept}
    for edge in graph.edges:
        ends = [graph.nodes[id_] for id_ in (edge.head, edge.tail)]
        operators = [graph.nodes.get(node.twin or "") for node in ends]
        plain = all(node.kind == "grad" and node.body not in graph.clusters for node in ends)
        bodies = {
            sum(graph.clusters[id_].kind == "body" for id_ in graph.frames_of(node.cluster)) for node in ends
        }
        if edge.kind == "gradient" and plain and len(bodies) == 1 and None not in operators:
            first, then = operators
            assert (first.id, then.id) in forth, (first.title, then.title)


def test_the_argument_of_a_backward_that_is_differentiated_comes_from_the_rule_before(recordings):
    _, graph = of_layout(recordings, "pylayer_twice")
    assert titled(graph, "dy") == []
    (scale,) = titled(graph, "scale")
    assert [graph.nodes[edge.tail].title for edge in graph.edges if edge.head == scale.id] == ["expand_view"]


def test_a_detached_gradient_is_cut_from_the_pass_that_gave_it(draw):
    graph = draw(
        "x = paddle.to_tensor([2.0], stop_gradient=False)\n"
        "(slope,) = paddle.grad(x * x, x, create_graph=True)\n"
        "(slope.detach() * slope).sum().backward()"
    )
    assert [edge.label for edge in graph.edges if edge.kind == "cut"] == ["detach"]


def test_a_rule_that_raised_has_its_saved_tensor_and_what_wrote_over_it(recordings):
    _, graph = of_layout(recordings, "in_place")
    (rule,) = titled(graph, "tanh_grad")
    into = {
        edge.kind: (graph.nodes[edge.tail].title, edge.label) for edge in graph.edges if edge.head == rule.id
    }
    assert into["saved"] == ("tanh", "y #3")
    assert into["write"] == ("add", "writes over y #3")
    assert "writes over what is saved" in head(graph, THEMES["light"])


def test_truth_values_have_no_norm(recordings):
    _, graph = of_layout(recordings, "while_loop")
    (less,) = [node for node in fold(graph).nodes.values() if node.title == "less_than" and node.count == 3]
    assert not any("norm" in line for line in label(less))


def test_a_sum_stands_behind_the_last_that_gives_a_term(graph):
    for options in (Options(), Options(depth=0), Options(depth=1)):
        seen = shaped(graph, options)
        places = {id_: place for place, id_ in enumerate(seen.nodes)}
        for edge in seen.edges:
            if seen.nodes[edge.head].kind == "accumulate" and seen.nodes[edge.tail].kind != "accumulate":
                assert places[edge.tail] < places[edge.head], (edge.tail, edge.head)


def test_a_range_belongs_to_one_series(recordings):
    _, graph = of_layout(recordings, "lstm")
    cells = closable_of(graph).nodes["s1~r0"]
    assert label(cells)[1:5] == (
        "c #1, c #2 [1, 3]", "norm 0.2533 to 0.3846", "h #2…4 [1, 3]", "norm 0.1359 to 0.2303"
    )  # fmt: skip
    _, graph = of_layout(recordings, "while_loop")
    turns = closable_of(graph).nodes["c5~r0"]
    assert label(turns)[1:3] == (
        "fill_constant_1.tmp_0 #2, fill_constant_1.tmp_0 #3 [1]", "norm 1 to 2"
    )  # fmt: skip
    assert {"y [2]", "tmp_1 #2…4 [1]"} <= {*label(turns)}


def test_an_argument_without_a_gradient_is_said_to_be_zeros(recordings):
    _, graph = of_layout(recordings, "several_outputs")
    (c,) = titled(graph, "c")
    assert sentence(c) == "c is given, zeros: no gradient came."
