"""The formulas of `why` for rules and kernels: read for this call, in the user's names, and true."""

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.engine.operator.operator import TABLE
from minipaddle.ops.definition import example
from minipaddle.tools.explain.formula import renamed, source


def leaf(*rows):
    return paddle.to_tensor(list(rows), stop_gradient=False)


@pytest.mark.parametrize("approximate", [False, True])
def test_gelu_shows_the_function_that_was_asked_for(answers, approximate):
    def script():
        y = F.gelu(leaf(0.5, -1.0), approximate=approximate)
        y.sum().backward()

    found = answers(script)
    for title in ("gelu", "gelu_grad"):
        lines = "\n".join(found[title].rule)
        assert ("tanh(" in lines) == approximate
        assert ("erf(" in lines) != approximate


@pytest.mark.parametrize("index", [[2, 0, 2], [[2], [0], [2]]])
def test_the_rule_of_gather_has_decided_its_branches(answers, index):
    def script():
        x = leaf([1.0, 2.0], [3.0, 4.0], [5.0, 6.0])
        rows = paddle.to_tensor(index)
        y = paddle.gather(x, rows)
        y.sum().backward()

    found = answers(script)
    (rule,) = found["gather_grad"].rule
    assert rule.startswith("x@GRAD = zeros([3, 2]), and y@GRAD [3, 2] added at [rows")
    assert found["gather_grad"].numbers == ["x@GRAD[2, 0] = 1 + 1 = 2"]


def test_a_name_of_the_rule_is_not_taken_for_one_of_the_users(answers):
    def script():
        x, g = leaf([1.0, 2.0, 4.0], [3.0, 1.0, 0.0]), leaf(0.5, 2.0, 1.0)
        y = F.layer_norm(x, [3], weight=g)
        (y * y).sum().backward()

    lines = answers(script)["layer_norm_grad"].rule
    assert not any(line.startswith("g = ") for line in lines)
    assert any("@GRAD * g" in line for line in lines)


def test_a_formula_through_many_steps_is_told_as_its_source(answers):
    """Written out, the formula of the weights doubles with each step."""

    def script():
        paddle.nn.GRU(1, 1)(paddle.ones([1, 6, 1]))[0].sum().backward()

    assert len("".join(answers(script)["rnn_grad"].rule)) < 1000


def test_what_was_not_used_is_not_in_the_rule(answers):
    def script():
        x = leaf([1.0, 2.0, 4.0], [3.0, 1.0, 0.0])
        y = F.layer_norm(x, [3])
        (y * y).sum().backward()

    lines = answers(script)["layer_norm_grad"].rule
    assert not any("scale" in line or "if " in line or "zeros" in line for line in lines)


@pytest.mark.parametrize("max_mb", [256, 0])
def test_a_formula_for_people_that_gives_other_numbers_gives_way_to_the_rule(answers, monkeypatch, max_mb):
    def script():
        y = F.softmax(leaf([1.0, 2.0, 0.5]))
        (y * y).sum().backward()

    (rule,) = TABLE["softmax"].rules
    (good,) = answers(script, max_mb=max_mb)["softmax_grad"].rule
    assert good.endswith("@GRAD = y * (y@GRAD - sum(y@GRAD * y, 1, keepdims=True))")
    monkeypatch.setattr(example, "_FORMULAS", {rule.function: lambda dy, out: dy - out})
    (other,) = answers(script, max_mb=max_mb)["softmax_grad"].rule
    assert other.endswith("@GRAD = y@GRAD * y - y * sum(y@GRAD * y, 1, keepdims=True)")


def test_a_rule_that_does_not_give_what_was_recorded_is_shown_by_its_source(answers, monkeypatch):
    def script():
        y = F.relu(leaf(1.0, -2.0))
        monkeypatch.setattr(rule, "function", lambda dy, out: dy * out * 7)
        y.sum().backward()

    (rule,) = TABLE["relu"].rules
    answer = answers(script)["relu_grad"]
    assert "* 7" not in answer.rule[-1] or answer.numbers == []
    assert answer.numbers == []


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (lambda: F.softmax(leaf([1000.0, 2000.0])), ("softmax", "max(")),
        (lambda: paddle.argsort(leaf([3.0, 1.0, 2.0]), axis=0), ("argsort", "argsort(")),
    ],
    ids=["a kernel in plain words gives way where it overflows", "what no formula says is a call"],
)
def test_a_kernel_is_said_by_another(answers, script, said):
    (rule,) = answers(script)[said[0]].rule
    assert said[1] in rule


def test_an_element_of_a_large_gradient_is_put_in_without_the_rest(answers):
    def script():
        x, w = leaf(*np.ones((4, 784)).tolist()), leaf(*np.ones((784, 128)).tolist())
        y = paddle.matmul(x, w)
        y.sum().backward()

    assert answers(script)["matmul_grad"].numbers[1] == "w@GRAD[0, 0] = 1 * 1 + 1 * 1 + 1 * 1 + 1 * 1 = 4"


def test_a_name_that_a_rule_assigns_keeps_its_name():
    assert renamed("flag = not flag\nx * flag", {"flag": "False", "x": "W"}) == [
        "flag = not flag",
        "W * flag",
    ]


def test_the_source_of_a_function_is_without_its_docstring():
    def rule(dy, y):
        """A rule without a formula."""
        half = y / 2
        return dy * half

    assert source(rule) == "half = y / 2\ndy * half"


def test_complex_gradients_show_their_conjugates(answers):
    def script():
        z, w = leaf(0.3 + 0.4j, 1 - 2j), leaf(0.5 - 0.4j, 1 + 2j)
        p = z * w
        t = paddle.tanh(p)
        paddle.abs(t).sum().backward()

    found = answers(script)
    assert found["multiply_grad"].rule == ["z@GRAD = p@GRAD * conj(w)", "w@GRAD = p@GRAD * conj(z)"]
    assert found["tanh_grad"].rule == ["p@GRAD = t@GRAD - t@GRAD * conj(t) * conj(t)"]
    assert all("conj(" in line for line in found["multiply_grad"].numbers)


def test_real_gradients_show_no_conjugate(answers):
    def script():
        x, w = leaf([1.0, 2.0]), leaf([0.5], [2.0])
        y = paddle.tanh(x @ w * 2.0)
        (y * y).sum().backward()

    assert not [line for found in answers(script).values() for line in found.rule if "conj" in line]
