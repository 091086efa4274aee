"""`why` and stepping in Programs: Blocks, iterations, functions of the user's, sums, updates."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.core.mode import EAGER, within
from minipaddle.core.watching import watching
from minipaddle.debug import Prompt, Session
from minipaddle.trace import Recorder
from minipaddle.viz.glyphs import UNICODE

S = paddle.static


@pytest.fixture
def asked():
    """`asked(build, command, ...)` builds and runs a Program on x = [0.5, 1, 2], and returns what is said."""

    def ask(build, *commands):
        recorder = Recorder("script.py")
        with within(EAGER), watching(recorder):
            paddle.enable_static()
            main, startup = S.Program(), S.Program()
            with S.program_guard(main, startup), paddle.utils.unique_name.guard():
                x = S.data("x", [3])
                x.stop_gradient = False
                fetches = build(x)
            exe = S.Executor()
            exe.run(startup)
            exe.run(main, {"x": np.array([0.5, 1, 2], "f4")}, fetches)
            paddle.disable_static()
        said = []
        prompt = Prompt(Session(recorder.finish()), UNICODE, said.append)
        for command in commands:
            said.clear()
            prompt.run(command)
        return "\n".join(said)

    return ask


def choice(x):
    y = S.nn.cond(paddle.sum(x) > 0, lambda: paddle.tanh(x) * x, lambda: paddle.exp(x))
    return S.gradients(y, x)


def loop(x):
    w = paddle.full([3], 2.0)
    w.stop_gradient = False
    i, n = paddle.full([1], 0, "int64"), paddle.full([1], 3, "int64")
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


def test_parts_of_a_sum_have_their_own_names(asked):
    said = asked(choice, "break op:accumulate", "begin", "continue", "why")
    rule = said.splitlines()[0].split()
    assert rule[0] == "rule"
    assert rule[2] == "="
    assert rule[4] == "+"
    assert rule[1] not in (rule[3], rule[5])


def test_a_leaf_of_a_program_says_how_to_fetch_its_gradient(asked):
    assert "this is the whole gradient of x; fetch_list=['x@GRAD']" in asked(layer, "end", "why")


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
    found = asked(twice, "begin", "set x = x * 0 + 3", "print grad/grad/x@GRAD")
    assert found.endswith("[219. 228. 264.]"), "x * x was computed before"
    assert "not run again" not in asked(twice, "begin", "set x = x * 0 + 3")
    assert asked(twice, "begin", "set x = x * 1").endswith("0 values changed"), "as it was, to the bit"
