"""A name in a picture is true: one tensor has it, it is the script's, and it is cut where no name is."""

import re
from collections import Counter

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
from minipaddle.tools.picture.model.labels import fitted_lines
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.options import shaped
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import clean
from minipaddle.tools.words.terminal import ASCII
from tests.support.drawn_scripts import TWO_SUMS, of_layout, titled
from tests.support.random_training import different, trainings

RULES = ("grad", "pylayer_grad")


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


def everything_named(graph):
    """Yield each value of a picture: made, taken and kept by its nodes, and on its arrows."""
    for node in graph.nodes.values():
        yield from (*node.results, *node.takes, *node.saved)
    for edge in graph.edges:
        yield from edge.values


def the_same(trace):
    """Return the values that are one tensor with others: a Block and its operator have one, a loop has a copy."""
    pairs = {
        made: parts[0]
        for event in trace.events
        for parts, made in zip(event.parts, event.outputs)
        if made is not None and parts and len(parts) == 1
    }
    values = trace.values
    pairs = {
        made: part
        for made, part in pairs.items()
        if values[made].kind == "gradient" or values[made].name == values[part].name
    }
    copies = (value for value in values if "@VERSION@" in value.name)
    return pairs | {value.id: trace.maker(value).inputs[0] for value in copies}


def tensors_by_name(trace, graph):
    """Return the tensors that have each name: a gradient that a later pass goes through is its operator's result.

    Left out are parameters: each stays one thing when it is updated.
    """
    same, tensors = the_same(trace), {}
    for value in everything_named(graph):
        id_ = value.id
        while True:
            before = trace.values[id_]
            further = same.get(id_, before.same if before.kind == "gradient" else None)
            if further is None:
                break
            id_ = further
        if value.kind != "parameter":
            tensors.setdefault(value.name, set()).add(true_id(trace, id_))
    return tensors


def test_one_name_means_one_tensor(trace, graph):
    assert not {name: ids for name, ids in tensors_by_name(trace, graph).items() if len(ids) > 1}


def test_one_tensor_has_one_name(trace, graph):
    """Only what is stored has a name of its own, ``x.grad``, and gradients of the drawn pass: each is of one value."""
    names = {}
    for name, ids in tensors_by_name(trace, graph).items():
        for id_ in ids if not name.endswith(".grad") else ():
            names.setdefault(id_, []).append(name)
    drawn = {id_ for event in trace.of_pass(graph.pass_number) for id_ in event.outputs}
    assert not {id_: called for id_, called in names.items() if len(called) > 1 and id_ not in drawn}


def test_a_page_a_file_and_a_tree_have_no_other_names(trace, graph):
    known = {clean(value.name) for value in everything_named(graph)}
    rows = {row.name.lstrip(" |`+-") for row in tree_rows(graph, ASCII) if row.numbers}
    assert {name for name in rows if not name.endswith("]")} <= known  # what is read again has its shape
    leaves = (node for node in graph.nodes.values() if node.is_leaf)
    assert {node.title for node in leaves} <= known
    assert not any("@RENAME@" in name or name.startswith("grad/") for name in known)


@given(trainings())
def test_names_of_any_training(training):
    trace, _ = training.recorded(different(training.parameters))
    for number in trace.pass_numbers:
        graph = mirror(trace, number)
        gradients = {name: ids for name, ids in tensors_by_name(trace, graph).items() if "@GRAD" in name}
        assert not {name: ids for name, ids in gradients.items() if len(ids) > 1}


def test_hooks_of_one_gradient_give_back_tensors_of_different_names(draw):
    graph = draw(
        "x = paddle.to_tensor([2.0], stop_gradient=False)\ny = x * 1\n"
        "for factor in (3, 5):\n    y.register_hook(lambda grad: grad * factor)\ny.sum().backward()"
    )
    given_back = [node.results[0].name for node in graph.nodes.values() if node.kind == "hook"]
    assert given_back == ["y@GRAD #2", "y@GRAD"]


def test_a_result_of_a_loop_bears_the_name_that_the_script_gives_it(recordings):
    _, graph = of_layout(recordings, "while_loop")
    (loop,) = titled(graph, "while")
    assert [value.name for value in loop.results] == ["i", "y", "tmp_1 #4"]
    (start,) = titled(graph, "exp")
    assert sentence(start).startswith("exp computes exp_0.tmp_0 #1 ")


def test_a_gradient_has_the_name_that_the_script_gives_it(recordings):
    for name, called in (("hessian_vector", "product"), ("static_twice", "bend"), ("double_backward", "g")):
        _, graph = of_layout(recordings, name)
        assert any(value.name == called for node in graph.nodes.values() for value in node.results), name


def test_what_a_closed_pass_takes_has_the_names_that_its_givers_say(recordings):
    """In each picture, open, closed and folded, all that is taken is given: an input, or what was said to be made."""
    for name in ("gradient_penalty", "cube_thrice", "pylayer_twice", "wgan_gp", "double_backward"):
        _, graph = of_layout(recordings, name)
        for closing in (lambda frame: False, lambda frame: True, lambda frame: frame.kind == "layer"):
            seen = close(graph, closing)
            given = {value.name for node in graph.nodes.values() for value in node.results}
            for node in seen.nodes.values():
                assert {value.name for value in (*node.takes, *node.saved)} <= given, (name, node.title)


def test_names_in_a_box_are_cut_between_two(recordings):
    _, graph = of_layout(recordings, "lstm")
    back = closable_of(graph).nodes["t1~r0"]
    assert fitted_lines(back, "stats", 40)[1] == "c #2@GRAD #1, c #1@GRAD #1 [1, 3]"


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
    assert "gives back x #3…1@GRAD #2 [1, 4, 6, 6], 4 times" in sentence(node)


def test_a_label_of_a_file_is_cut_between_two_names_or_numbers(recordings):
    for name in ("rnn20", "gradient_penalty", "wgan_gp", "several_outputs"):
        _, graph = of_layout(recordings, name)
        cut = re.findall(r'label=" ?([^"\\]*?)…\s*"', to_dot(shaped(graph, Options())))
        assert all(one.endswith(", ") for one in cut), cut
