"""Sequences of different lengths in one tensor: where their offsets are, and that nothing is there without them."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.static import nn
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program

S = paddle.static
PLACE = paddle.CPUPlace()
ROWS = np.arange(10, dtype="float32").reshape(5, 2) / 8


@pytest.fixture(autouse=True)
def programs():
    paddle.enable_static()
    with (
        S.program_guard(S.Program(), S.Program()),
        S.scope_guard(S.Scope()),
        paddle.utils.unique_name.guard(),
    ):
        yield
    paddle.disable_static()


def sequences(array, *lengths):
    return paddle.base.create_lod_tensor(array, [list(level) for level in lengths], PLACE)


def rows(name="x", levels=1):
    x = S.data(name, [-1, 2], lod_level=levels)
    x.stop_gradient = False
    return x


def softened(x):
    """A loss through most of the operators."""
    y = nn.sequence_reverse(paddle.exp(x))
    z = nn.sequence_concat([nn.sequence_expand_as(nn.sequence_pool(y, "average"), x), y])
    w = nn.sequence_conv(z, 3, 3, param_attr=paddle.nn.initializer.Constant(0.25))
    padded, length = nn.sequence_pad(w, paddle.full([1], 0.5), maxlen=7)
    return nn.sequence_pool(nn.sequence_unpad(padded, length), "max").sum()


def run(fetch, program=None, lengths=((2, 3),), **options):
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe.run(program, feed={"x": sequences(ROWS, *lengths)}, fetch_list=fetch, **options)


def test_a_program_without_sequences_has_no_offsets():
    x = S.data("x", [-1, 2])
    y = paddle.exp(x) + x
    assert [x.lod_level, y.lod_level] == [0, 0]
    assert list(S.default_main_program().global_block().vars) == ["x", "exp_0.tmp_0", "tmp_0"]
    S.Executor().run(feed={"x": ROWS}, fetch_list=[y])
    (job,) = S.default_main_program().prepared.values()
    assert [job.feeds, job.fetches, list(job.offsets)] == [[x], [y], []]


def test_gradients_are_those_of_differences():
    x = rows()
    loss = softened(x)
    (grad,) = S.gradients([loss], [x])
    exe = S.Executor()
    exe.run(S.default_startup_program())
    found = np.array(exe.run(feed={"x": sequences(ROWS, [2, 3])}, fetch_list=[grad], return_numpy=False)[0])
    for place in np.ndindex(ROWS.shape):
        ends = []
        for sign in (1, -1):
            moved = ROWS.copy()
            moved[place] += sign * 0.01
            ends.append(exe.run(feed={"x": sequences(moved, [2, 3])}, fetch_list=[loss])[0])
        np.testing.assert_allclose(found[place], (ends[0] - ends[1]) / 0.02, rtol=5e-3, atol=1e-3)


def test_steps_give_what_a_run_gives():
    x = rows()
    loss = softened(x)
    S.append_backward(loss, parameter_list=[x])
    exe = S.Executor()
    exe.run(S.default_startup_program())
    fed = {"x": sequences(ROWS, [2, 3])}
    kinds, answers = walked(exe.steps(feed=fed, fetch_list=[loss]))
    assert answers == exe.run(feed=fed, fetch_list=[loss])
    assert {"sequence_pool", "sequence_pool_grad", "sequence_conv_grad", "sequence_unpad_grad"} <= set(kinds)


def walked(steps):
    """The types of the Operators that were run, and what the run gave."""
    kinds = []
    while True:
        try:
            kinds.append(next(steps).op.type)
        except StopIteration as end:
            return kinds, end.value


def test_second_derivatives():
    x = rows()
    y = nn.sequence_softmax(x[:, :1] * x[:, 1:])
    (dx,) = S.gradients([(nn.sequence_pool(y * y, "sum") ** 2).sum()], [x])
    (ddx,) = S.gradients([(dx * dx).sum()], [x])
    exe = S.Executor()
    first, second = (
        np.array(one)
        for one in exe.run(feed={"x": sequences(ROWS, [2, 3])}, fetch_list=[dx, ddx], return_numpy=False)
    )
    moved = ROWS.copy()
    moved[3, 0] += 0.01
    other = np.array(exe.run(feed={"x": sequences(moved, [2, 3])}, fetch_list=[dx], return_numpy=False)[0])
    np.testing.assert_allclose(second[3, 0], ((other**2).sum() - (first**2).sum()) / 0.01, rtol=5e-2)


def test_equal_sequences_of_two_inputs_are_told_apart():
    x, y = rows("x"), rows("y")
    both = (
        nn.sequence_pool(nn.sequence_concat([x, y]), "last"),
        nn.sequence_pool(nn.sequence_concat([y, x]), "last"),
    )
    fed = {"x": sequences(ROWS[:4], [2, 2]), "y": sequences(ROWS[:4], [1, 3])}
    of_y, of_x = S.Executor().run(feed=fed, fetch_list=list(both))
    np.testing.assert_array_equal(of_y, ROWS[[0, 3]])
    np.testing.assert_array_equal(of_x, ROWS[[1, 3]])


def test_several_levels_lose_the_innermost():
    x = rows(levels=2)
    pooled = nn.sequence_pool(paddle.exp(x), "max")
    twice = nn.sequence_pool(pooled, "sum")
    assert [x.lod_level, pooled.lod_level, twice.lod_level] == [2, 1, 0]
    inner, outer = run([pooled, twice], lengths=((2, 1), (2, 1, 2)), return_numpy=False)
    assert [inner.lod(), outer.lod()] == [[[0, 2, 3]], []]
    np.testing.assert_allclose(np.array(outer)[0], np.exp(ROWS[1]) + np.exp(ROWS[2]), rtol=1e-6)


def test_a_clone_and_a_file_have_the_sequences():
    x = rows()
    loss = softened(x)
    program = S.default_main_program()
    expected = run([loss])[0]
    assert (
        S.Executor().run(program.clone(for_test=True), {"x": sequences(ROWS, [2, 3])}, [loss.name])[0]
        == expected
    )
    again = S.deserialize_program(S.serialize_program([x], [loss]))
    assert S.Executor().run(again, {"x": sequences(ROWS, [2, 3])}, [loss.name])[0] == expected


def test_copies_know_gradients_and_levels_by_what_they_are_not_by_names():
    x, other = rows(), S.data("x@GRAD", [-1, 2])
    block = x.block
    block.create_var("x@GRAD@LOD0", [-1], "int64")
    loss = (paddle.exp(x) * x).sum()
    first = S.append_backward(loss, parameter_list=[x])[0][1]
    second = S.append_backward(paddle.tanh(loss), parameter_list=[x])[0][1]
    block.rename(x.offsets[0], "y")
    named = [x, other, first, second, x.offsets[0]]
    program = block.program
    for copy in (program, program.clone(), program_from_text(text_of_program(program))[0]):
        assert [copy.global_block().vars[one.name].lod_level for one in named] == [1, 0, 1, 1, 0]


def test_what_was_declared_without_sequences_may_be_fed_with_them():
    x = rows(levels=0)
    y = nn.sequence_reverse(paddle.exp(x))
    (found,) = run([y], return_numpy=False)
    assert found.lod() == [[0, 2, 5]]
    np.testing.assert_array_equal(np.array(found), np.exp(ROWS)[[1, 0, 4, 3, 2]])


def test_what_has_lost_its_sequences_is_refused_while_the_program_is_built():
    with pytest.raises(ValueError, match=r"does not contain LoD(.|\n)*transpose and reductions lose"):
        nn.sequence_reverse(rows().transpose([1, 0]))


def test_there_are_no_sequences_in_dynamic_mode():
    paddle.disable_static()
    with pytest.raises(AssertionError, match="dygraph"):
        nn.sequence_pool(paddle.ones([2, 2]), "sum")


def test_rows_that_were_added_on_the_way_are_noticed():
    x = rows()
    y = nn.sequence_reverse(paddle.concat([x, x]))
    with pytest.raises(ValueError, match=r"ends at 5, but it has 10 rows"):
        run([y])


def test_what_has_another_number_of_rows_when_it_runs_is_fetched_without_sequences():
    x = rows()
    found = S.Executor().run(
        feed={"x": sequences(ROWS, [2, 3])}, fetch_list=[x.reshape([-1, 1]), paddle.concat([x, x])]
    )
    assert [one.shape for one in found] == [(10, 1), (10, 2)]
