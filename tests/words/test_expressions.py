"""What users may write as an expression, and what it may reach."""

import numpy as np
import pytest

from minipaddle.words.expressions import BadExpression, Expression


def test_an_expression_names_what_it_needs_and_is_evaluated_with_that():
    expression = Expression("sqrt(abs(g).max()) + max(sizes) + sum(x * k for x in g)")
    assert set(expression.names) >= {"g", "sizes", "k"}
    assert not {"sqrt", "abs"} & set(expression.names), "it has these functions by itself"
    assert expression.evaluate({"g": np.array([-4.0, 1.0]), "sizes": [2, 3], "k": 10}) == 2 + 3 - 30


def test_a_value_may_have_the_name_of_a_function():
    assert Expression("max > 2").names == ("max",)
    assert Expression("max > 2").evaluate({"max": 3})


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("norm >", "SyntaxError", "invalid syntax"),
        ("x = 1", "SyntaxError", "invalid syntax"),
        ("().__class__", "SyntaxError", "names like __this__"),
        ("__import__('os')", "SyntaxError", "names like __this__"),
    ],
)
def test_what_is_no_expression_is_refused_with_the_reason(text, kind, said):
    with pytest.raises(BadExpression, match=said) as error:
        Expression(text)
    assert error.value.kind == kind


@pytest.mark.parametrize("text", ["open('x')", "eval('1')", "exec('1')", "getattr(g, 'x')", "globals()"])
def test_python_s_other_functions_are_not_there(text):
    with pytest.raises(NameError):
        Expression(text).evaluate({"g": 1})


def test_methods_of_arrays_that_import_parts_of_numpy_work():
    array = np.arange(6.0).reshape(2, 3)
    assert Expression("g.mean(axis=0).tolist()").evaluate({"g": array}) == [1.5, 2.5, 3.5]
