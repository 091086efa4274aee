"""What the tests stand on: many cases in one test, and nothing left from one to the next."""

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.alone import alone
from tests.support.cases import check_each, for_each


def odd(number):
    assert number % 2, "even"


def test_one_case_that_fails_is_raised_with_its_name():
    with pytest.raises(AssertionError, match="even") as raised:
        check_each({"one": 1, "two": 2, "three": 3}, odd)
    assert raised.value.__notes__ == ["case: two"]


def test_no_cases_are_a_mistake():
    with pytest.raises(AssertionError, match="no cases"):
        check_each({}, odd)


def test_all_cases_that_fail_are_named():
    seen = []

    @for_each("number", {"one": 1, "two": 2, "three": 3, "four": 4})
    def check(number, beside):
        seen.append((number, beside))
        if number == 4:
            pytest.fail("four")
        odd(number)

    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases: two, four") as raised:
        check(beside="me")
    assert [type(one) for one in raised.value.exceptions] == [AssertionError, pytest.fail.Exception]
    assert seen == [(1, "me"), (2, "me"), (3, "me"), (4, "me")]


LEFT = {
    "mode": paddle.enable_static,
    "default type": lambda: paddle.set_default_dtype("float64"),
    "flags": lambda: paddle.set_flags({"FLAGS_cudnn_deterministic": True}),
    "printing": lambda: paddle.set_printoptions(precision=2),
    "NumPy's printing and errors": lambda: np.set_printoptions(precision=2),
}


@pytest.mark.parametrize("what", LEFT)
def test_what_is_left_behind_is_told_once_and_put_in_order(what):
    with pytest.raises(AssertionError, match=f"left behind: .*{what}"), alone():
        LEFT[what]()
    with alone():
        pass


def test_names_random_numbers_programs_and_the_scope_begin_anew():
    seen = []
    for _ in range(2):
        with alone():
            seen.append((paddle.nn.Linear(1, 1).weight.name, paddle.rand([1]).item()))
            assert paddle.static.global_scope().find_var("mine") is None
            paddle.static.global_scope().var("mine")
            assert not paddle.static.default_main_program().global_block().vars
            paddle.static.default_main_program().global_block().create_var("mine")
            paddle.static.program_guard(paddle.static.Program()).__enter__()
            paddle.seed(7)
    assert seen[0] == seen[1]
