"""FLAGS_check_nan_inf and paddle.amp.debugging, with the words of Paddle 3.3.1."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.amp.debugging import DebugMode, check_numerics
from minipaddle.core.mode import Eager, current


@pytest.fixture
def checking():
    paddle.set_flags({"FLAGS_check_nan_inf": 1})
    yield
    paddle.set_flags({"FLAGS_check_nan_inf": 0})
    assert type(current.get()) is Eager


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def test_an_operator_that_makes_an_inf_raises_and_names_itself(checking):
    with np.errstate(all="ignore"), pytest.raises(RuntimeError, match="There are NAN or INF") as error:
        paddle.log(leaf(0.0, 1.0))
    assert "(num_nan=0, num_inf=1, num_zero=1) in [device=cpu, op=log, tensor=, dtype=fp32]" in str(
        error.value
    )
    assert "test_numerics.py" in str(error.value)


def test_so_does_a_gradient_rule_and_nothing_is_stored(checking):
    x = leaf(0.0)
    y = paddle.sqrt(x * 1)
    with np.errstate(all="ignore"), pytest.raises(RuntimeError, match="op=sqrt_grad"):
        y.backward()
    assert x.grad is None


def test_within_no_grad_and_in_place_too(checking):
    with np.errstate(all="ignore"):
        with paddle.no_grad(), pytest.raises(RuntimeError, match="op=log"):
            paddle.log(leaf(0.0))
        with pytest.raises(RuntimeError, match="NAN or INF"):
            (leaf(1.0) * 1).scale_(float("inf"))


def test_clean_numbers_pass(checking):
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_check_numerics_counts(capsys):
    counts, sizes = check_numerics(leaf(1.0, 0.0, 3.0), "op", "x")
    assert counts.tolist() == [0, 0, 1]
    assert np.allclose(sizes.numpy(), [3, 0, 4 / 3])
    assert capsys.readouterr().out == ""


def test_check_numerics_aborts_or_tells(capsys):
    bad = leaf(1.0, float("nan"), float("inf"))
    with pytest.raises(
        RuntimeError, match=r"num_nan=1, num_inf=1, num_zero=0\) in \[device=cpu, op=my, tensor=y"
    ):
        check_numerics(bad, "my", "y")
    counts, sizes = check_numerics(bad, "my", "y", DebugMode.CHECK_NAN_INF)
    assert counts.tolist() == [1, 1, 0]
    assert np.isinf(sizes.numpy()[0])
    assert (
        "[PRECISION] [ERROR] in [device=cpu, op=my, tensor=y, dtype=fp32], numel=3" in capsys.readouterr().out
    )
