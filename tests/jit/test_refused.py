"""Control flow over Tensors that no Program can have, and errors inside of it: the words, and the user's line."""

import traceback

import pytest

from minipaddle import paddle
from minipaddle.paddle.jit import to_static
from minipaddle.paddle.jit.dy2static.state import Dygraph2StaticException
from tests.support.traced import leaf, same


def raises_in_a_branch(x):
    if x.sum() > 0:
        y = x
    else:
        y = paddle.reshape(x, [5])
    return y


def test_errors_stand_at_the_users_lines():
    with pytest.raises(ValueError, match="reshape") as caught:
        to_static(raises_in_a_branch)(leaf(1.0))
    assert "y = paddle.reshape(x, [5])" in str(caught.value)
    steps = [step for step in traceback.extract_tb(caught.value.__traceback__) if step.filename == __file__]
    assert [step.line for step in steps[-2:]] == ["if x.sum() > 0:", "y = paddle.reshape(x, [5])"]
    assert {step.name for step in steps[-2:]} == {"raises_in_a_branch"}


def one_sided(x):
    if x.sum() > 0:
        y = x
    return y


def other_kind(x):
    if x.sum() > 0:
        return x, x
    return x


def growing(x):
    rows = []
    while x.sum() < 10:
        rows.append((x, 1))
        x = x + 1
    return rows[0]


def longer(x):
    rows = []
    while x.sum() < 10:
        rows = [*rows, x]
        x = x + 1
    return rows[0]


def written(x):
    y = x * 2
    if x.sum() > 0:
        y[0] = 3.0
    return y


def written_in_an_expression(x):
    y = x * 2
    return y.add_(x) if x.sum() > 0 else y


def counting(x):
    found = {}
    if x.sum() > 0:
        found["x"] = x
    return x


def counted(x):
    for place in range(x.argmax()):
        x = x + place
    return x


def test_a_for_that_only_a_run_can_count_is_refused_by_line():
    with pytest.raises(TypeError, match="has no numbers before") as caught:
        to_static(counted)(leaf(1.0))
    lines = [
        step.line for step in traceback.extract_tb(caught.value.__traceback__) if step.filename == __file__
    ]
    assert lines[-1] == "for place in range(x.argmax()):"


def texts(x):
    if x.sum() > 0:
        name = "yes"
    else:
        name = "no"
    return x if name == "yes" else -x


@pytest.mark.parametrize(
    ("function", "words", "line"),
    [
        (one_sided, "'y' is a Tensor .* but nothing if it is false", "if x.sum\\(\\) > 0:"),
        (other_kind, "The function returns a tuple of 2 .* but a Tensor", "if x.sum\\(\\) > 0:"),
        (longer, "'rows' is a list of 0 before a turn", "while x.sum\\(\\) < 10:"),
        (growing, "'rows' is written into in place", "while x.sum\\(\\) < 10:"),
        (written, "is written into in place", "if x.sum\\(\\) > 0:"),
        (
            written_in_an_expression,
            "is written into in place",
            "return y.add_\\(x\\) if x.sum\\(\\) > 0 else y",
        ),
        (counting, "'found' is written into in place", "if x.sum\\(\\) > 0:"),
        (texts, "'name' is 'yes' .* but 'no'", "if x.sum\\(\\) > 0:"),
    ],
)
def test_what_no_program_can_do_is_named_with_its_line(function, words, line):
    with pytest.raises(Dygraph2StaticException, match=f"{words}[^§]*{line}"):
        to_static(function)(leaf(1.0))


def test_what_is_not_looked_at_behind_may_differ():
    def function(x):
        if x.sum() > 0:
            name = "yes"
            x = x + len(name)
        else:
            name = None
        return x

    same(function, [1.0])


def test_an_object_that_only_a_branch_has_takes_its_attributes_with_it():
    def function(x):
        if x.sum() > 0:
            scale = Scale()
            scale.factor = x * 2
            x = scale.factor + 1
        return x

    def behind(x):
        function(x)
        if x.sum() > 0:
            scale = Scale()
            scale.factor = x * 2
        return scale.factor

    same(function, [1.0])
    same(function, [-1.0])
    with pytest.raises(
        Dygraph2StaticException, match="'scale' is a Scale if the condition is true, but nothing"
    ):
        to_static(behind)(leaf(1.0))


def test_an_attribute_of_the_class_that_a_branch_replaces_by_another_kind():
    def function(x, scale):
        if x.sum() > 0:
            scale.unit = x
        return scale.unit

    with pytest.raises(Dygraph2StaticException, match=r"'scale\.unit' is a Tensor .* but 'm' if it is false"):
        to_static(function)(leaf(1.0), Scale())


def test_no_source_says_so():
    space = {}
    exec("def f(x):\n    return x if x.sum() > 0 else -x\n", space)
    with pytest.raises(TypeError, match=r"static\.nn\.cond") as caught:
        to_static(space["f"])(leaf(1.0))
    assert any("source cannot be read" in note for note in caught.value.__notes__)


class Scale:
    factor, unit = 3, "m"


def endless(x):
    if x.sum() > 10:
        return x
    return endless(x * 2)


def sunk(depth, call):
    return sunk(depth - 1, call) if depth else call()


@pytest.mark.sweep
def test_recursion_that_a_tensor_ends_wherever_the_stack_is_full():
    for depth in range(24):
        with pytest.raises(RecursionError, match="calls itself"):
            sunk(depth, lambda: to_static(endless)(leaf(1.0)))


def test_a_chain_of_comparisons_over_tensors_is_refused_by_line():
    def function(x):
        return x * 2 if 0 < x.sum() < 9 else x * 5

    with pytest.raises(TypeError, match="Python cannot branch on it") as caught:
        to_static(function)(leaf(1.0))
    assert "return x * 2 if 0 < x.sum() < 9 else x * 5" in str(caught.value)
    assert to_static(lambda: 3 < 2 < [])() is False


def test_a_variable_called_like_the_result_of_a_function_is_none():
    @to_static
    def function(x):
        if x.sum() > 0:
            result_of_it = x * 2
        return result_of_it

    with pytest.raises(Dygraph2StaticException, match=r"'result_of_it' is a Tensor.*but nothing"):
        function(leaf(-1.0))
