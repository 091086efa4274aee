"""A name in a picture is true: one tensor has it, it is the script's, and it is cut where no name is."""

import re
from collections import Counter

from minipaddle.tools.page.closable import closable_of
from minipaddle.tools.page.story import sentence
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.legend import head
from minipaddle.tools.picture.draw.theme import THEMES
from minipaddle.tools.picture.model.collapse import close
from minipaddle.tools.picture.model.fold import fold
from minipaddle.tools.picture.model.labels import fitted_lines, label
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.words.language import spoken
from tests.support.drawn_scripts import of_layout, titled

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


def test_a_gradient_of_a_program_has_one_spelling(recordings):
    for name in ("static_adam", "static_twice", "cond", "while_loop", "py_func"):
        _, graph = of_layout(recordings, name)
        stores = [node for node in graph.nodes.values() if node.kind == "store"]
        assert stores
        assert [node.title for node in stores] == [node.results[0].name for node in stores]
        assert "where a gradient ends" in head(graph, THEMES["light"])


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


def test_a_value_before_a_loop_does_not_bear_the_name_of_its_result(recordings):
    trace, graph = of_layout(recordings, "while_loop")
    (start,) = titled(graph, "exp")
    assert sentence(start).startswith("exp computes exp_0.tmp_0 ")
    (loop,) = titled(graph, "while")
    assert [trace.bound.get(value.id) for value in loop.results] == ["i", "y", None]


def test_a_line_of_a_box_is_cut_between_two_names_or_numbers(graph):
    for node in closable_of(graph).nodes.values() if len(graph.nodes) < 500 else ():
        for line in fitted_lines(node, "stats", 30):
            assert not re.search(r", .*[^ ]…( \[|$)", line), line


def test_a_gradient_that_the_last_statement_binds_has_its_name(recordings):
    _, graph = of_layout(recordings, "hessian_vector")
    (end,) = (node for node in graph.nodes.values() if node.kind == "store")
    assert (end.results[0].name, spoken(end.title)) == ("product", "product returned by paddle.grad")
    assert "where a gradient ends" in head(graph, THEMES["light"])


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
