"""What users may write as an expression, and what it may reach."""

import re

import numpy as np
import pytest

from minipaddle.tools.words.expressions import BadExpression, Expression


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
        ("().__class__", "SyntaxError", ".__class__ is not for expressions"),
        ("__import__('os')", "SyntaxError", "__import__() is not for expressions"),
        ("__builtins__", "SyntaxError", "names like __this__"),
        ("lambda: 1", "SyntaxError", "Lambda has no place in an expression; `!` runs Python"),
        ("(y := 2)", "SyntaxError", "NamedExpr has no place"),
        ("+".join(["g"] * 5000), "RecursionError", "maximum recursion depth"),
    ],
)
def test_what_is_no_expression_is_refused_with_the_reason(text, kind, said):
    with pytest.raises(BadExpression, match=re.escape(said)) as error:
        Expression(text)
    assert error.value.kind == kind


@pytest.mark.parametrize("text", ["open('x')", "eval('1')", "exec('1')", "getattr(g, 'x')", "globals()"])
def test_python_s_other_functions_are_not_there(text):
    with pytest.raises(BadExpression, match="is not for expressions; there are abs, all, any"):
        Expression(text)


ESCAPES = {
    "subclasses": "().__class__.__bases__[0].__subclasses__()",
    "format": "'{0.__class__.__init__.__globals__}'.format(g)",
    "f-string": "f'{g.__class__}'",
    "frames": "[x.gi_frame.f_back.f_builtins for x in [(y for y in g)]]",
    "globals of a function": "(lambda: 0).__globals__['__builtins__']",
    "import": "__import__('os').system('true')",
    "a file by NumPy": "np.save('escaped', g)",
    "a file by an array": "g.tofile('escaped')",
    "modules in NumPy": "np.testing.sys.modules",
    "pickles": "np.load('evil.npy', allow_pickle=True)",
    "memory": "np.frombuffer(g.data)",
    "a function in a list": "[abs][0](g)",
}


@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_no_way_leads_out(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadExpression):
        Expression(text).evaluate({"g": np.ones(2), "np": np})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text", ["np.add(g, 1, g)", "np.exp(g, out=g)", "np.clip(g, 5, 6, g)", "g.cumsum(out=g)"]
)
def test_an_expression_cannot_write_to_what_it_reads(text):
    array = np.ones(2)
    with pytest.raises(ValueError, match=r"read-only|not writeable|assignment destination"):
        Expression(text).evaluate({"g": array, "np": np})
    assert array.tolist() == [1, 1]
    assert array.flags.writeable


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("(abs(g) < 1e-7).mean()", 0.5),
        ("np.linalg.norm(g)", 3.0),
        ("np.isfinite(g).all() and not g.shape == (3,)", True),
        ("[k * 2 for k in g if k > 0]", [6.0]),
        ("max(g.max(), 1) if g.size else 0", 3.0),
        ("g[::-1, None].T.tolist()", [[3.0, 0.0]]),
        ("sorted(map(abs, g))[-1]", 3.0),
    ],
)
def test_what_people_write_works(text, answer):
    assert Expression(text).evaluate({"g": np.array([0.0, 3.0]), "np": np}) == answer


def test_methods_of_arrays_that_import_parts_of_numpy_work():
    array = np.arange(6.0).reshape(2, 3)
    assert Expression("g.mean(axis=0).tolist()").evaluate({"g": array}) == [1.5, 2.5, 3.5]
