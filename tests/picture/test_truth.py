"""Every mark of a picture is true: what a frame takes and gives, what is counted, whether a gradient came, names."""

import re
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given

from minipaddle.tools.page.closable import closable_of
from minipaddle.tools.page.story import sentence
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.legend import head
from minipaddle.tools.picture.draw.theme import THEMES
from minipaddle.tools.picture.model.collapse import close
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.forward import true_id
from minipaddle.tools.picture.model.labels import fitted_lines, label
from minipaddle.tools.picture.model.mirror import mirror, mirror_or_forward
from minipaddle.tools.picture.model.outcome import NOT_REACHED, NOT_STORED, STOPPED
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.terminal import ASCII
from tests.support.random_training import different, trainings

HERE = Path(__file__).parent
GALLERY = HERE.parents[1] / "docs" / "gallery"
SCRIPTS = sorted(
    path for folder in (HERE / "layout", HERE / "scripts", GALLERY) for path in folder.glob("*.py")
)
RULES = ("grad", "pylayer_grad")


TWO_SUMS = """
class Two(paddle.nn.Layer):
    def forward(self, x):
        return x * 2, x * 3

class Both(paddle.nn.Layer):
    def forward(self, a, b):
        return a * a + b * b

two, both = Two(), Both()
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
a, b = two(x)
both(a, b).sum().backward()
"""


@pytest.fixture(scope="module")
def recordings(run_cli, tmp_path_factory):
    """`recordings(name)`: the recording of a script, which runs once."""
    known = {}
    write = "minipaddle.tools.cli.commands.trace.write_recording"

    def recorded(path):
        if path not in known:
            with patch(write, lambda trace, *_: known.setdefault(path, trace)):
                run_cli("trace", path, cwd=tmp_path_factory.getbasetemp())
        return known[path]

    return recorded


@pytest.fixture(params=SCRIPTS, ids=lambda path: path.stem)
def trace(request, recordings):
    return recordings(request.param)


@pytest.fixture
def graph(trace):
    return mirror_or_forward(trace)


def of_layout(recordings, name):
    (path,) = (path for path in SCRIPTS if path.stem == name)
    return recordings(path), mirror_or_forward(recordings(path))


def titled(graph, title):
    return [node for node in graph.nodes.values() if node.title == title]


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
        if value.name == "2.bias@GRAD"
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
    assert [value.name for value in node.results] == ["y@GRAD = expand_view_7"]  # as its open box says


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


def test_a_gradient_of_a_program_has_one_spelling(recordings):
    for name in ("static_adam", "static_twice", "cond", "while_loop", "py_func"):
        _, graph = of_layout(recordings, name)
        stores = [node for node in graph.nodes.values() if node.kind == "store"]
        assert stores
        assert [node.title for node in stores] == [node.results[0].name for node in stores]
        assert "where a gradient ends" in head(graph, THEMES["light"])


def test_truth_values_have_no_norm(recordings):
    _, graph = of_layout(recordings, "while_loop")
    (less,) = [node for node in fold(graph).nodes.values() if node.title == "less_than" and node.count == 3]
    assert not any("norm" in line for line in label(less))


def test_an_arrow_for_several_gradients_names_them(draw):
    """Numbers of two sums in one frame, ``4, 8; 6, 12``, would not say what they are of."""
    graph = draw(TWO_SUMS)
    closed = close(graph, lambda frame: True)
    (bundle,) = [edge for edge in closed.edges if edge.kind == "gradient" and len(edge.values) > 1]
    assert bundle.label == "b@GRAD, a@GRAD"


def test_what_a_rule_kept_has_another_name_than_any_gradient_that_comes(graph):
    """In a pass through a pass, y@GRAD of the first is not y@GRAD of the second."""
    rules = [node for node in graph.nodes.values() if node.kind in RULES and node.side == "backward"]
    kept = {value.name for node in rules for value in node.saved}
    assert not kept & {value.name for node in rules for value in (*node.takes, *node.results)}


def test_a_box_of_an_earlier_pass_says_every_name_that_its_result_is_read_by(graph):
    for edge in graph.edges:
        tail = graph.nodes[edge.tail]
        if edge.kind == "value" and tail.kind == "rule":
            said = {*tail.variable.split(" = "), *(value.name for value in tail.results)}
            assert {value.name for value in edge.values} <= said, (edge.tail, edge.head)


def test_all_names_of_one_result_stand_in_its_box(recordings):
    _, graph = of_layout(recordings, "pylayer_twice")
    (node,) = titled(graph, "expand_view")
    assert label(node)[1:] == ("y@GRAD =", "dy = expand_view_8 [2] 1, 1")


def test_a_sum_stands_behind_the_last_that_gives_a_term(graph):
    for options in (Options(), Options(depth=0), Options(depth=1)):
        seen = shaped(graph, options)
        places = {id_: place for place, id_ in enumerate(seen.nodes)}
        for edge in seen.edges:
            if seen.nodes[edge.head].kind == "accumulate" and seen.nodes[edge.tail].kind != "accumulate":
                assert places[edge.tail] < places[edge.head], (edge.tail, edge.head)


def test_a_value_before_a_loop_does_not_bear_the_name_of_its_result(recordings):
    trace, graph = of_layout(recordings, "while_loop")
    (start,) = titled(graph, "exp")
    assert sentence(start).startswith("exp computes exp_0.tmp_0 ")
    (loop,) = titled(graph, "while")
    assert [trace.bound.get(value.id) for value in loop.results] == ["i", "y", None]


def test_a_range_belongs_to_one_series(recordings):
    _, graph = of_layout(recordings, "lstm")
    cells = closable_of(graph).nodes["s1~r0"]
    assert label(cells)[1:5] == (
        "c #1, c #2 [1, 3]", "norm 0.2533 to 0.3846", "h #2…4 [1, 3]", "norm 0.1359 to 0.2303"
    )  # fmt: skip
    _, graph = of_layout(recordings, "while_loop")
    turns = closable_of(graph).nodes["c5~r0"]
    assert label(turns)[1:3] == ("fill_constant_1.tmp_0 ×3 [1]", "norm 1 to 3")
    assert label(turns)[-2] == "tmp_1 ×3 [1]"


def test_a_line_of_a_box_is_cut_between_two_names_or_numbers(graph):
    for node in closable_of(graph).nodes.values() if len(graph.nodes) < 500 else ():
        for line in fitted_lines(node, "stats", 30):
            assert not re.search(r", .*[^ ]…( \[|$)", line), line


def test_a_gradient_that_the_last_statement_binds_has_its_name(recordings):
    _, graph = of_layout(recordings, "hessian_vector")
    (end,) = (node for node in graph.nodes.values() if node.kind == "store")
    assert (end.results[0].name, spoken(end.title)) == ("product", "product returned by paddle.grad")
    assert "where a gradient ends" in head(graph, THEMES["light"])


def test_an_argument_without_a_gradient_is_said_to_be_zeros(recordings):
    _, graph = of_layout(recordings, "several_outputs")
    (c,) = titled(graph, "c")
    assert sentence(c) == "c is given, zeros: no gradient came."


def test_a_name_on_the_forward_side_is_one_tensors(trace, graph):
    began = trace.began(graph.pass_number)
    if began is not None and began.made_by == "program":
        return  # a Program has Paddle's names: a loop writes to one Variable in each iteration
    nodes = [node for node in graph.nodes.values() if node.side == "forward" and node.kind != "error"]
    named = Counter(value.name for node in nodes for value in {one.id: one for one in node.results}.values())
    assert not {name: count for name, count in named.items() if count > 1}


def test_the_losses_of_two_earlier_passes_have_numbers(recordings):
    _, graph = of_layout(recordings, "maml")
    assert [node.results[0].name for node in titled(graph, "mean")] == ["inner #1", "inner #2", "outer"]
    assert len(titled(graph, "inner #1@GRAD")) == len(titled(graph, "inner #2@GRAD")) == 1


def test_a_repeat_of_which_the_first_gives_nothing_back_gives_what_the_others_give(recordings):
    _, graph = of_layout(recordings, "resnet")
    small = fold(close(graph, lambda frame: frame.path.endswith("first")))
    (node,) = [one for one in small.nodes.values() if one.kind == "layer_grad" and one.count == 4]
    assert "gives back x #3…1@GRAD [1, 4, 6, 6], 4 times" in sentence(node)


def test_a_label_of_a_file_is_cut_between_two_names_or_numbers(recordings):
    for name in ("rnn20", "gradient_penalty", "wgan_gp", "several_outputs"):
        _, graph = of_layout(recordings, name)
        cut = re.findall(r'label=" ?([^"\\]*?)…\s*"', to_dot(shaped(graph, Options())))
        assert all(one.endswith(", ") for one in cut), cut
