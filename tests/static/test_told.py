"""An Operator's notes on its gradient, and the Variables passed into and out of Blocks."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program
from tests.support.agreement import Steps

S = paddle.static

pytestmark = pytest.mark.usefixtures("building")


def _same_everywhere(program):
    """Return the Program, a copy of it, and what a file gives back."""
    return program, program.clone(), program_from_text(text_of_program(program))[0]


def _by_type(program, type):
    return [op for block in program.blocks for op in block.ops if op.type == type]


def test_each_call_of_append_backward_is_a_pass_of_its_own():
    x = S.data("x", [2])
    x.stop_gradient = False
    first = S.gradients(x * x, x)[0]
    S.gradients(first.sum(), x)
    for program in _same_everywhere(S.default_main_program()):
        numbers = [op.pass_number for op in program.global_block().ops]
        assert list(dict.fromkeys(numbers)) == [0, 1, 2]
        assert numbers[-1] == 2
        assert program.backward_calls == 2


def test_a_seed_knows_whose_gradient_it_is():
    x = S.data("x", [2])
    x.stop_gradient = False
    loss = (x * x).sum()
    S.append_backward(loss)
    for program in _same_everywhere(S.default_main_program()):
        ops = program.global_block().ops
        (seed,) = [op for op in ops if op.seeds is not None]
        maker, target = seed.seeds
        assert target.name == loss.name
        assert maker is ops[1]


def test_a_sum_knows_the_place_where_its_terms_meet():
    x = S.data("x", [2])
    x.stop_gradient = False
    y = x * 3.0
    S.append_backward((y * y + x).sum())
    for program in _same_everywhere(S.default_main_program()):
        found = {op.sums[1].name: op.sums[0] for op in _by_type(program, "sum")}
        assert found == {x.name: None, y.name: program.global_block().ops[0]}


def test_a_sum_behind_a_loop_meets_where_the_loop_wrote():
    x = S.data("x", [2])
    x.stop_gradient = False
    i, n = paddle.zeros([1], "int64"), paddle.full([1], 2, "int64")
    _, y = S.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 2.0], [i, x * 1.0])
    S.append_backward((y * y).sum() + y.sum())
    (total,) = [op for op in _by_type(S.default_main_program(), "sum") if op.sums[1] is y]
    assert total.sums[0].type == "while"


def test_gradients_know_whose_they_are_by_position():
    x, w = S.data("x", [2, 2]), S.create_parameter([2, 2], "float32")
    S.append_backward(paddle.matmul(x, w).sum())
    for program in _same_everywhere(S.default_main_program()):
        (grad,) = _by_type(program, "matmul_v2_grad")
        (pair,) = grad.gradient_pairs
        assert grad.origin.reads()[pair[0]] is pair[1]
        assert [one.name for one in pair[1:]] == [w.name, w.grad_name]
        assert [one.name for one in grad.gradients_in] == [grad.origin.outputs["Out"][0].grad_name]


def test_a_part_of_a_rule_knows_which_result_it_is():
    x = S.data("x", [2])
    x.stop_gradient = False
    (first,) = S.gradients(paddle.tanh(x), x)
    S.gradients(first, x)
    (whole,) = [op for op in _by_type(S.default_main_program(), "tanh_grad") if op.part_of is None][:1]
    parts = {
        op.origin for block in S.default_main_program().blocks for op in block.ops if op.origin is not None
    }
    last = [one for one in parts if one.part_of is whole and one.gradient_pairs]
    assert [pair[0] for one in last for pair in one.gradient_pairs] == [0]


def test_blocks_of_a_loop_are_counted_and_say_what_they_hand_on():
    x, w = S.data("x", [2]), S.create_parameter([2], "float32")
    i, n = paddle.zeros([1], "int64"), paddle.full([1], 3, "int64")
    _, y = S.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * w], [i, x * 1.0])
    S.append_backward(y.sum())
    exe = S.Executor()
    exe.run(S.default_startup_program())
    steps = Steps()
    with watching(steps):
        exe.run(feed={"x": np.ones(2, "float32")})
    entered = [turn for what, turn in steps.turns if what == "entered"]
    assert [(turn.op.type, turn.iteration) for turn in entered] == [
        *(("while", number) for number in (0, 1, 2)),
        *(("while_grad", number) for number in (2, 1, 0)),
    ]
    assert [turn for what, turn in steps.turns if what == "left"] == entered
    first, second, _ = (turn for turn in entered if turn.op.type == "while_grad")
    made = {given: (answer, result) for given, answer, result, _ in first.op.rows}
    assert [outside.name for _, outside in first.handed] == [y.grad_name]
    assert [outside for _, outside in second.handed] == [made[y][0]]
    assert [outside for inside, outside in first.op.hands_out() if inside is made[w][0]] == [made[w][1]]
    assert list(first.op.adds_up()) == [made[w][1]]


class Diary(Steps):
    """Also keeps the Operators, and checks that each is told with as many arrays as it has Variables."""

    def will_apply(self, op, inputs):
        assert len(inputs) == len(op.reads())
        self.turns.append(("will", op))

    def called(self, op, inputs, attrs, outputs, inplace):
        assert len(outputs) == len(op.writes())
        self.turns.append(("called", op))

    def program_ended(self, error):
        self.turns.append(("ended", error))


def test_an_observer_is_told_of_operators_as_they_run_and_of_blocks_within_them():
    x = S.data("x", [2])
    y = S.nn.cond(paddle.sum(x) > 0, lambda: x * 2.0, lambda: x * 3.0)
    inner, outer = Diary(), Diary()
    with watching(inner), watching(outer):
        S.Executor().run(feed={"x": np.ones(2, "float32")}, fetch_list=[y])
    assert inner.turns == outer.turns
    told = [(what, getattr(one, "type", "block")) for what, one in inner.turns[:-1]]
    branch = told.index(("will", "conditional_block"))
    names = [("will", "conditional_block"), ("entered", "block"), ("will", "scale"), ("called", "scale")]
    assert told[branch : branch + 4] == names
    assert [one for one in told if one[0] == "left"] == [("left", "block")]
    begun, done = ([op for what, op in inner.turns if what == one] for one in ("will", "called"))
    assert set(begun) == set(done)
    assert inner.turns[-1] == ("ended", None)


def test_the_error_of_an_operator_ends_what_an_observer_is_told():
    x = S.data("x", [-1])
    y = paddle.sum(x) + (x * S.data("z", [-1]))
    diary = Diary()
    with watching(diary), pytest.raises(ValueError, match="elementwise_mul") as caught:
        S.Executor().run(feed={"x": np.ones(2, "float32"), "z": np.ones(3, "float32")}, fetch_list=[y])
    assert [what for what, _ in diary.turns[-2:]] == ["will", "ended"]
    assert diary.turns[-1][1] is caught.value
