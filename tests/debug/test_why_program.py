"""`why` and stepping in Programs: Blocks, iterations, functions of the user's, sums, updates."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.words.symbols import UNICODE
from tests.support.runs import recorded_program

S = paddle.static


@pytest.fixture
def asked():
    """`asked(build, command, ...)` records a Program, and returns what is said to the last command."""

    def ask(build, *commands):
        said = []
        prompt = Prompt(Session(recorded_program(build)), UNICODE, said.append)
        for command in commands:
            said.clear()
            prompt.run(command)
        return "\n".join(said)

    return ask


def choice(x):
    y = S.nn.cond(paddle.sum(x) > 0, lambda: paddle.tanh(x) * x, lambda: paddle.exp(x))
    return S.gradients(y, x)


def written_over(x):
    y = x * 2.0

    def write():
        paddle.assign(x * 3.0, y)

    S.nn.cond(paddle.sum(x) > 100, write)
    return S.gradients(y, x)


def loop(x, count=3):
    w = paddle.full([3], 2.0)
    w.stop_gradient = False
    i, n = paddle.full([1], 0, "int64"), paddle.full([1], count, "int64")
    i.stop_gradient = n.stop_gradient = True
    _, h = S.nn.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * w), [i, x * 1.0])
    return S.gradients(h, [x, w])


def double(x):
    return 2 * x


def triple(x, y, dy):
    return 3 * np.asarray(dy)


def function(x):
    out = S.default_main_program().current_block().create_var("out", [3], "float32")
    S.py_func(double, paddle.exp(x), out, triple)
    return S.gradients(out, x)


def layer(x):
    y = S.nn.static_pylayer(lambda a: paddle.tanh(a), [paddle.exp(x)], lambda dy: dy * 5.0)
    return S.gradients(y, x)


def at(op, number=1):
    return (f"break op:{op}", "begin", *["continue"] * number)


@pytest.mark.parametrize(
    ("build", "place", "said"),
    [
        (choice, at("conditional_block"), "tmp_1 is true, so block 1 ran"),
        (choice, at("conditional_block", 2), "is false: the block did not run"),
        (choice, at("conditional_block_grad"), "the branch had not run: no gradient comes from it"),
        (written_over, at("conditional_block_grad"), "what it writes over keeps the gradient that it has"),
        (choice, at("conditional_block_grad", 2), "the branch had run, so block 4 ran: its gradient"),
        (choice, at("select_input"), "the branch that ran made _generated_var_0"),
        (choice, at("select_output"), "the gradient goes to what was taken, as _generated_var_0@GRAD"),
        (loop, at("while_grad"), "block 2 ran 3 times, from the last iteration to the first"),
        (layer, at("pylayer"), "block 1 ran, which forward_fn filled"),
        (layer, at("pylayer_grad"), "block 2 ran, which backward_fn filled"),
        (function, at("py_func"), "double is the user's own Python"),
        (function, at("py_func", 2), "triple returned this gradient"),
    ],
)
def test_what_is_said_of_operators_with_blocks(asked, build, place, said):
    assert said in asked(build, *place, "why")


def test_stepping_goes_into_blocks_and_says_which_iteration(asked):
    seen = [asked(loop, "begin", *["step"] * count).splitlines()[0] for count in range(38)]
    entered = [line.split("    ")[0].split("into ")[1] for line in seen if " into " in line.split("    ")[0]]
    assert entered == [
        *(f"while block 1, iteration {number}" for number in (1, 2, 3)),
        *(f"while_grad block 2, iteration {number}" for number in (3, 2, 1)),
    ]
    assert "a block of the Program begins: pylayer block 1; it works on exp_0.tmp_0" in asked(
        layer, "begin", "step", "why"
    )


@pytest.mark.parametrize(("number", "product"), [(1, "1 * 8 = 8"), (2, "2 * 4 = 8"), (3, "4 * 2 = 8")])
def test_a_rule_in_an_iteration_has_the_numbers_of_that_iteration(asked, number, product):
    """h is x * 2 ** i, and its gradient 2 ** (2 - i): what w gets is the same in all three."""
    assert product in asked(loop, *at("elementwise_mul_grad", number), "why")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_loop_says_of_which_iteration_its_numbers_are(asked, count):
    said = asked(lambda x: loop(x, count), *at("while"), "why")
    assert "numbers" in said
    assert (f"the numbers are those of iteration 1 of {count}" in said) == (count > 1)


def test_parts_of_a_sum_have_their_own_names(asked):
    said = asked(choice, "break op:accumulate", "begin", "continue", "why")
    rule = said.splitlines()[0].split()
    assert rule[0] == "rule"
    assert rule[2] == "="
    assert rule[4] == "+"
    assert rule[1] not in (rule[3], rule[5])


def test_a_leaf_of_a_program_says_how_to_fetch_its_gradient(asked):
    assert "this is the whole gradient of x; fetch_list=['x@GRAD']" in asked(layer, "end", "why")


def decayed(x):
    w = S.create_parameter([3], "float32")
    paddle.optimizer.SGD(0.1, weight_decay=0.1).minimize(paddle.mean(x.detach() * w))
    return w


def test_a_gradient_that_is_written_over_is_not_what_a_fetch_gives(asked):
    """A decay is added into the gradient's own Variable."""
    said = asked(decayed, "break op:store", "continue", "why")
    assert said.startswith("this is the whole gradient of ")
    assert "add_n writes " in said
    assert "fetch_list" not in said


def twice(x):
    y = paddle.sum(x * x * x)
    (dx,) = S.gradients(y, x)
    return S.gradients(paddle.sum(dx * dx), x)


def test_a_second_derivative_has_rules_numbers_and_slopes_of_its_own(asked):
    """What is differentiated there is a part of a rule: elementwise_mul_grad computes tmp_0@GRAD * x."""
    place = ("break pass:2 op:multiply_grad", "begin", "continue", "continue")
    assert asked(twice, *place, "why").splitlines()[0].endswith("@GRAD * x")
    assert "chain rule: how multiply changes with tmp_0@GRAD" in asked(twice, *place, "why")
    assert ": unchecked" not in asked(twice, *place, "check")
    assert " ok " in asked(twice, *place, "check")


def test_terms_of_a_sum_of_gradients_are_told_apart_in_the_second_order(asked):
    said = asked(twice, "end", "flow")
    terms = [line.split()[2] for line in said.splitlines() if "add_n_grad" in line]
    assert terms == [f"x@GRAD@RENAME@block0@{number}" for number in range(3)]


def test_a_fork_runs_a_second_derivative_again(asked):
    found = asked(twice, "begin", "set x = x * 0 + 3", "end", "print grad/grad/x@GRAD")
    assert found.endswith("[972. 972. 972.]"), "36 times 3 to the third"
    assert "not run again" not in asked(twice, "begin", "set x = x * 0 + 3")
    assert asked(twice, "begin", "set x = x * 1").endswith("0 values changed"), "as it was, to the bit"


def test_cards_lists_and_chains_say_which_iteration(asked):
    card = asked(loop, *at("elementwise_mul_grad", 3)).splitlines()[0]
    assert "multiply_grad    backward    iteration 1    from" in card
    chain = asked(loop, *at("elementwise_mul_grad", 3), "where").splitlines()
    turns = [line.split()[-1] for line in chain if line.startswith("multiply_grad")]
    assert turns == ["1", "2", "3"], "the gradient has come through all iterations"
    chain = asked(loop, *at("elementwise_mul", 2), "where").splitlines()
    assert [line.split()[-1] for line in chain if line.startswith("multiply")] == ["2", "3"]
    assert chain[-1].startswith("while "), "and what the loop gave goes on"


def test_breaking_in_one_iteration(asked):
    assert "iteration 2" in asked(loop, "break op:elementwise_mul_grad iteration:2", "continue")
    assert "1 * 8 = 8" not in asked(loop, "break op:elementwise_mul_grad iteration:2", "continue", "why")


def test_goto_goes_through_iterations_to_the_sum(asked):
    places = ["begin"]
    seen = []
    for _ in range(4):
        places.append("goto fill_constant_1.tmp_0@GRAD")
        seen.append(asked(loop, *places).splitlines()[0])
    assert [line.split("iteration ")[1][0] if "iteration" in line else "all" for line in seen] == [
        *("3", "2", "1", "all")
    ]


def test_up_leads_out_of_a_loop(asked):
    assert "while_grad" in asked(loop, *at("elementwise_mul_grad", 3), "up").splitlines()[0]


def test_what_arrived_at_a_leaf_goes_by_the_name_on_its_card(asked):
    assert asked(layer, "goto x.grad").splitlines()[0].split()[2] == "x.grad"
    assert asked(layer, "print x.grad") == asked(layer, "print x@GRAD")


def test_flow_goes_into_loops_and_branches(asked):
    rows = [line for line in asked(loop, "end", "flow").splitlines() if "multiply_grad" in line]
    assert [row.split("iteration ")[1][0] for row in rows] == ["3", "3", "2", "2", "1", "1"]


def test_a_branch_that_was_not_taken_is_no_culprit(asked):
    said = asked(choice, "end", "flow")
    (row,) = [line for line in said.splitlines() if line.endswith("not taken")]
    assert "conditional_block_grad" in row
    assert said.endswith("1 parameters, all well")


def broken(x):
    y = S.nn.while_loop(
        lambda i, h: i < 3, lambda i, h: (i + 1, paddle.sqrt(h - 0.4)), [paddle.full([1], 0), x * 1.0]
    )
    return [y[1], *S.gradients(y[1], x)]


def test_a_nan_is_born_in_one_iteration_and_only_made_within_the_loop(asked):
    rows = [line.split() for line in asked(broken, "nan").splitlines()]
    born = [row for row in rows if "born" in row]
    assert [row[1:4] for row in born] == [["sqrt,", "iteration", "2"]]
    (whole,) = [row for row in rows if row[1:2] == ["while"]]
    assert whole[-4:] == ["made", "in", "its", "body"]


def slope_of(x, y, dy):
    slope = 3 * np.asarray(x)
    slope[0] = 7
    return np.asarray(dy) * slope


def lines_of_python(x):
    out = S.default_main_program().current_block().create_var("out", [3], "float32")
    S.py_func(double, paddle.exp(x), out, slope_of)
    return S.gradients(out, x)


def test_the_lines_of_a_function_are_stepped_through(asked):
    steps = ("goto slope", "step", "step")
    seen = [asked(lines_of_python, *steps[: count + 1]) for count in range(3)]
    titles = [card.splitlines()[0].split()[2] for card in seen]
    assert titles == ["slope", "slope", "return"]
    assert "slope[0] = 7" in seen[1].splitlines()[0]
    assert "out slope  [3]  7, " in seen[1], "what was written into it"
    assert "│     slope  [3]  7, " in seen[2], "what was read"


def test_its_locals_are_told(asked):
    names = [
        line.split()[0]
        for line in asked(lines_of_python, "goto return", "goto return", "locals").splitlines()
    ]
    assert names == ["exp_0.tmp_0", "out", "out@GRAD", "x", "y", "dy", "slope", "return"]
    said = asked(lines_of_python, *at("py_func", 2), "why")
    assert "slope = 3 * np.asarray(x)" in said.splitlines()[0]
    assert "np.asarray(dy) * slope" in said
    assert "a line of slope_of" in asked(lines_of_python, "goto slope", "why")


def test_next_goes_over_the_lines_of_a_function(asked):
    entered = ("break pylayer:slope_of", "continue", "next")
    assert "py_func double_grad" in asked(lines_of_python, *entered).splitlines()[0]


def test_a_fork_calls_functions_again_and_forgets_their_lines(asked):
    said = asked(lines_of_python, "goto exp_0.tmp_0", "set exp_0.tmp_0 = exp_0.tmp_0 * 0 + 2", "print out")
    assert said.endswith("[4. 4. 4.]")
    changed = ("goto exp_0.tmp_0", "set exp_0.tmp_0 = exp_0.tmp_0 * 0 + 2")
    assert "not run again" not in asked(lines_of_python, *changed)
    assert asked(lines_of_python, *changed, "print exp_0.tmp_0@GRAD").endswith("[7. 6. 6.]")
    assert "[3]" in asked(lines_of_python, *changed, "print slope")
    assert asked(lines_of_python, *changed, "print slope").endswith("the numbers of slope are not known")
    said = asked(lines_of_python, "goto slope", "set slope = slope * 0")
    assert "not run again: what Python makes of slope: it is called as a whole" in said


def look(x):
    np.asarray(x).sum()


def probe(x):
    S.py_func(look, x, None)
    return [x * 2]


def test_a_function_that_gives_nothing_is_not_said_to_lack_a_gradient(asked):
    assert asked(probe, *at("py_func"), "why").splitlines()[-1] == (
        "look is the user's own Python: every run calls it with arrays"
    )


@pytest.mark.parametrize("build", [choice, loop, layer, twice])
def test_a_fork_goes_through_blocks(asked, build):
    assert "not run again" not in asked(build, "begin", "set x = x * 0.5")
    assert asked(build, "begin", "set x = x * 1").endswith("0 values changed")


@pytest.mark.parametrize(("build", "operators"), [(choice, 2), (loop, 1), (layer, 0)])
def test_control_flow_is_checked(build, operators):
    found = list(check_trace(recorded_program(build)))
    assert {one.verdict for one in found if not one.event.op.startswith("pylayer")} == {"ok"}
    blocks = [
        one for one in found if one.event.op in ("while_grad", "conditional_block_grad", "select_output")
    ]
    assert len({one.event.index for one in blocks}) >= operators


@pytest.mark.parametrize(
    ("build", "change"),
    [(choice, ("begin", "set x = x * -1")), (loop, ("goto 2", "set fill_constant_5.tmp_0 = 1"))],
)
def test_a_fork_does_not_go_another_way_than_the_run(asked, build, change):
    """A branch that was not taken was not recorded: nothing old stands where new numbers should."""
    said = asked(build, *change)
    assert "has changed, and what runs then was not recorded" in said
    assert "events that need what these would have given" in said
    assert asked(build, *change, "end", "print x@GRAD").endswith("x@GRAD are not known")
    assert "out x@GRAD  [3]  (not known)" in asked(build, *change, "end", "goto x.grad")


def test_locals_of_a_function_have_their_names_to_themselves(asked):
    """double and slope_of have an x of their own, which is exp(x)."""
    assert asked(lines_of_python, "end", "print x").endswith("[0.5 1.  2. ]")
    assert asked(lines_of_python, "goto slope", "print x").endswith("[1.648721 2.718282 7.389056]")
    assert asked(lines_of_python, "goto slope", "back", "print x").endswith("[1.648721 2.718282 7.389056]")


def clipped_from_below(x):
    low = paddle.full([1], 0.75)
    return S.gradients(paddle.clip(x, min=low), [x])


def test_a_call_that_waits_for_its_numbers_is_not_told_as_the_operator_of_its_name(asked):
    there = asked(clipped_from_below, "break op:late", "begin", "continue", "why")
    assert "clip waits for the numbers of its Variables: each run calls it with them" in there
    back = asked(clipped_from_below, "break op:late_grad", "begin", "continue", "why")
    assert "each run calls clip once more, and takes its gradient on a tape of its own" in back
    assert "None" not in back
    assert "saved_tensor" not in back
