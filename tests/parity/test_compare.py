"""The comparison notices every difference except rounding."""

import numpy as np
import pytest

from minipaddle.importer import paddle_is_minipaddle

with paddle_is_minipaddle():  # the kit says `import paddle`
    from tests.support.parity.codec import encode, summary
    from tests.support.parity.collect import checked, expected
    from tests.support.parity.compare import differences
    from tests.support.parity.kit import Family, mode_of, raises, refusal


def differ(wanted, got, tolerance=None):
    return bool(list(differences(encode(wanted), encode(got), tolerance)))


X = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (X, X + 1e-9),
        (X, X.astype("float32")),
        (X, X.reshape(2, 1)),
        (X.astype("float32"), (X + 1e-4).astype("float32")),
        (X, np.array([1.0, np.nan])),
        (np.zeros(2), np.full(2, 1e-12)),
        (np.array([1, 2]), np.array([1, 3])),
        (1.0, 1.001),
        (1.0, 1),
        (True, 1),
        (None, 0.0),
        ("a", "b"),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ({"a": [X, "s"]}, {"a": [X, "t"]}),
        (X, None),
    ],
)
def test_differences_are_found(wanted, got):
    assert differ(wanted, got)


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (X, X + 1e-11),
        (X.astype("float32"), (X * (1 + 3e-6)).astype("float32")),
        (np.array([1.0, 1e-11]), np.array([1.0, 2e-11])),
        (np.array([np.nan, np.inf]), np.array([np.nan, np.inf])),
        ((1, 2), [1, 2]),
        ({"a": X, "b": None}, {"b": None, "a": X}),
    ],
)
def test_rounding_is_forgiven(wanted, got):
    assert not differ(wanted, got)


def test_a_case_may_widen_its_tolerance():
    assert differ(1.0, 1.01)
    assert not differ(1.0, 1.01, tolerance=0.1)


def fail(kind, text):
    raise kind(text)


def test_refusals_compare_by_type_and_declared_words():
    paddles = raises(lambda: fail(ValueError, "the axis is wrong here"), "axis")
    ours = raises(lambda: fail(ValueError, "no such axis"), "axis")
    other_type = raises(lambda: fail(TypeError, "no such axis"), "axis")
    without_words = checked(raises(lambda: fail(ValueError, "no"), "axis"))
    unasked = raises(lambda: fail(ValueError, "no such axis"))
    nothing_raised = raises(lambda: None)
    assert not differ(paddles, ours)
    assert not differ(unasked, ours)
    for wrong in (other_type, without_words, unasked, nothing_raised):
        assert differ(paddles, wrong)


def test_a_case_may_say_that_we_differ():
    cases = Family("any")
    cases.add("other", lambda: None, ours=[X])
    cases.add("same", lambda: None)
    assert expected(cases["other"], "what Paddle says") == encode([X])
    assert expected(cases["same"], "what Paddle says") == "what Paddle says"


def test_an_expected_refusal_is_like_one_that_happened():
    assert not differ(refusal("ValueError", "axis"), raises(lambda: fail(ValueError, "no such axis"), "axis"))
    assert differ(refusal("ValueError", "axis"), raises(lambda: None, "axis"))


def test_the_name_of_a_module_says_who_judges():
    assert mode_of("static_names") == "static"
    assert mode_of("statistics") == "eager"


def test_summary_drops_the_stack_and_whatever_changes_between_runs():
    text = "C++ Traceback\nError Message Summary:\n------\nValueError: generated_tensor_12 at 0x7fa0 is bad"
    assert summary(text) == "ValueError: generated_tensor_# at # is bad"


def test_a_row_of_a_page_knows_the_names_of_its_module_and_of_the_kit(monkeypatch):
    page = (
        "# Title\n\n## rows\n\nA sentence.\n\n```text\none: data(2).shape\ntwo: [\n    mine,\n    1]\n```\n"
    )
    monkeypatch.setattr(Family, "page", page)
    assert Family("any").table("rows", {"mine": "M"}) == {"one": (2,), "two": ["M", 1]}
    with pytest.raises(ValueError, match="unpack"):
        Family("any").table("others", {})
