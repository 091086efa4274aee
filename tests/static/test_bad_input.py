"""Mistakes of users: one clear error each, and everything stays usable."""

import gc
import weakref

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import within
from minipaddle.paddle.static.build.mode import BUILDING

S = paddle.static
ONES = np.ones(2, "f4")


@pytest.fixture(autouse=True)
def static_mode():
    with within(BUILDING), S.program_guard(S.Program(), S.Program()), S.scope_guard(S.Scope()):
        yield


def run(feed=None, fetch=None, program=None):
    return S.Executor().run(program, feed, fetch)


def variable(name):
    return S.default_main_program().current_block().create_var(name=name, shape=[2], dtype="float32")


def assert_usable():
    """The Program can be extended and run after the error: parts that do not depend on the mistake still work."""
    y = S.data("still", [2]) * 2
    (answer,) = S.Executor().run(None, {"still": ONES}, [y], use_prune=True)
    assert answer.tolist() == [2, 2]


# -- feeds and fetches ----------------------------------------------------------------------------------------


def test_sequences_of_different_lengths_in_one_placeholder():
    assert S.data("flat", [2], "float32", 0).lod_level == 0
    with pytest.raises(ValueError, match="PaddlePaddle 2 only"):
        S.data("rows", [-1, 2], lod_level=1)
    assert_usable()


def test_a_missing_feed_names_the_variable_the_operator_and_the_line():
    x = S.data("x", [2])
    y = paddle.exp(x)
    with pytest.raises(RuntimeError, match=r"'x' is a placeholder that was not fed") as caught:
        run({}, [y])
    assert "[operator < exp > error]" in str(caught.value)
    assert "y = paddle.exp(x)" in str(caught.value)
    assert_usable()


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (np.array([None, None]), TypeError, "object"),
        (object(), TypeError, "object"),
        (np.ones(2), ValueError, "must be 'float32', but received 'float64'"),
        (np.ones(3, "f4"), ValueError, r"shape = \(2,\)"),
        ([[1], [1, 2]], ValueError, "'x' is no array"),
    ],
    ids=["objects", "an object", "another dtype", "another shape", "ragged"],
)
def test_a_feed_that_does_not_fit(value, error, words):
    y = S.data("x", [2]) * 2
    with pytest.raises(error, match=words):
        run({"x": value}, [y])
    assert_usable()


def test_not_a_number_is_a_number():
    y = S.data("x", [2]) * 2
    assert np.isnan(run({"x": ONES * np.nan}, [y])[0]).all()


def test_a_fetch_of_another_program():
    y = S.data("x", [2]) * 2
    other = S.Program()
    with S.program_guard(other):
        paddle.exp(S.data("a", [2]))
    with pytest.raises(RuntimeError, match=y.name):
        run({"a": ONES}, [y], other)
    assert_usable()


def test_a_variable_of_another_program_is_no_operand():
    with S.program_guard(S.Program()):
        a = S.data("a", [2])
    with pytest.raises(ValueError, match=r"'a' belongs to another Program"):
        paddle.exp(a)
    assert_usable()


# -- programs made by hand ------------------------------------------------------------------------------------


def append(type, x, out):
    S.default_main_program().global_block().append_op(type=type, inputs={"X": x}, outputs={"Out": out})


def test_use_before_definition():
    append("exp", variable("u"), variable("o"))
    with pytest.raises(RuntimeError, match=r"'u' is not initialized") as caught:
        run({}, ["o"])
    assert "[operator < exp > error]" in str(caught.value)
    assert_usable()


def test_a_cycle():
    u, o = variable("u"), variable("o")
    append("exp", u, o)
    append("log", o, u)
    with pytest.raises(RuntimeError, match=r"'u' is not initialized"):
        run({}, [o])
    assert_usable()


def test_an_operator_that_does_not_exist():
    with pytest.raises(ValueError, match="nonsense"):
        append("nonsense", variable("u"), variable("o"))
    assert_usable()


def test_a_program_changed_between_runs_is_prepared_anew():
    y = S.data("x", [2]) * 2
    assert run({"x": ONES}, [y])[0].tolist() == [2, 2]
    z = y + 1
    assert run({"x": ONES}, [y, z])[1].tolist() == [3, 3]


# -- the user's own code --------------------------------------------------------------------------------------


def traced_pylayer(fail):
    x = S.data("x", [2])
    x.stop_gradient = False
    S.nn.static_pylayer(fail, [x], lambda dy: dy)


def traced_branch(fail):
    x = S.data("x", [2])
    S.nn.cond(paddle.sum(x) > 0, lambda: fail(x), lambda: x)


def traced_loop(fail):
    i = paddle.full([1], 0, "int64")
    S.nn.while_loop(lambda i: i < 3, lambda i: [fail(i)], [i])


@pytest.mark.parametrize("traced", [traced_pylayer, traced_branch, traced_loop])
def test_an_exception_while_a_block_is_traced_leaves_no_trace(traced):
    def fail(x):
        paddle.exp(x.astype("float32"))
        raise ZeroDivisionError("mine")

    program = S.default_main_program()
    with pytest.raises(ZeroDivisionError, match="mine"):
        traced(fail)
    assert program.num_blocks == 1
    assert program.current_block().idx == 0
    assert all(op.type not in ("pylayer", "conditional_block", "while") for op in program.global_block().ops)
    assert not [name for name in program.global_block().vars if name.startswith("_generated")]
    assert_usable()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "returned None"),
        ("abc", "no array"),
        ([1, 2], "2 values, but 1"),
        (object(), "no array"),
        ((), "0 values, but 1"),
    ],
    ids=["None", "a text", "too many", "an object", "nothing"],
)
def test_rubbish_from_a_py_func(answer, words):
    def rubbish(x):
        return answer

    out = S.py_func(rubbish, S.data("x", [2]), variable("o"))
    with pytest.raises(ValueError, match=words) as caught:
        run({"x": ONES}, [out])
    assert "py_func" in str(caught.value)
    assert "rubbish" in str(caught.value)
    assert_usable()


def test_an_exception_of_a_py_func_comes_out_as_it_is():
    class Mine(Exception):
        pass

    def boom(x):
        raise Mine("here")

    out = S.py_func(boom, S.data("x", [2]), variable("o"))
    with pytest.raises(Mine, match="here"):
        run({"x": ONES}, [out])
    assert_usable()


def test_a_program_runs_again_after_an_error():
    x, y = S.data("x", [-1, -1]), S.data("y", [-1, -1])
    z = paddle.matmul(x, y)
    with pytest.raises(ValueError, match="matmul") as caught:
        run({"x": np.ones((2, 3), "f4"), "y": np.ones((2, 3), "f4")}, [z])
    assert "z = paddle.matmul(x, y)" in str(caught.value)
    assert run({"x": np.ones((2, 3), "f4"), "y": np.ones((3, 2), "f4")}, [z])[0].tolist() == [[3, 3], [3, 3]]


def _looked_for(x):
    return 1.0 in x


WISHES = [bool, float, int, len, reversed, np.asarray, _looked_for]


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish.__name__)
def test_a_variable_has_no_numbers(wish):
    with pytest.raises(TypeError, match="'x'"):
        wish(S.data("x", [2]))
    assert S.default_main_program().global_block().ops == []


def test_python_cannot_branch_on_a_variable_and_is_told_where_and_what_to_do():
    def choose(x):
        return x if x > 0 else -x

    with pytest.raises(TypeError, match=r"static\.nn\.cond") as caught:
        choose(S.data("x", [1]))
    assert "return x if x > 0 else -x" in str(caught.value)


@pytest.fixture
def without_collector():
    """Disable garbage collection: objects in a reference cycle stay."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_failed_run_lets_go_of_what_was_fed(without_collector):
    z = S.data("x", [-1, 3]) + S.data("y", [-1, 3])
    x = np.ones((4, 3), "f4")
    kept = weakref.ref(x)
    with pytest.raises(ValueError, match="broadcast"):
        run({"x": x, "y": np.ones((2, 3), "f4")}, [z])
    del x
    assert kept() is None


def test_a_variable_that_persists_from_now_on_is_stored_by_the_next_run():
    y = S.data("x", [2]) * 2
    run({"x": ONES}, [y])
    assert S.global_scope().find_var(y.name) is None
    y.persistable = True
    run({"x": ONES}, [y])
    assert np.array(S.global_scope().find_var(y.name).get_tensor()).tolist() == [2, 2]
