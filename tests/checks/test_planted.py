"""Planted mistakes are found, with their kind and line; correct scripts have no findings."""

import pytest

from tests.support.planted import HEAD, LOSS, ONES, Planted, planted, said_by

MISTAKES = planted("mistakes")
NANS = planted("nans")
CONTROLS = planted("controls")


def cases(scripts):
    return pytest.mark.parametrize("one", scripts, ids=[one.name for one in scripts])


@cases(MISTAKES)
def test_a_wrong_backward_is_found_with_its_mistake_and_line(one, tmp_path):
    verdicts = said_by("check", one, tmp_path)
    wrong = [row for row in verdicts.rows if row["verdict"] == "wrong"]
    assert verdicts.code == 3
    assert wrong
    assert {row["mistake"] for row in wrong} <= set(one.kind.split())
    assert all(row["cause"] for row in wrong) or "elements" in one.kind
    named = [
        f"planted.py:{one.line}" == row["line"] or f"or line {one.line}: " in row["cause"] for row in wrong
    ]
    assert any(named) or not any(row["line"] for row in wrong)


HIDDEN = (
    "mean not taken off",
    "softmax, wrong axis",
    "both outputs mixed up",
    "norm of a layer, sum for mean",
    "temperature, not divided",
    "batch norm, sums not divided",
    "diagonal of softmax",
)


@cases([one for one in MISTAKES if one.name in HIDDEN])
def test_a_mistake_is_named_where_only_ones_come_in_and_the_gradient_is_zero(one, tmp_path):
    assert LOSS in one.script
    verdicts = said_by("check", one._replace(script=one.script.replace(LOSS, ONES)), tmp_path)
    (wrong,) = [row for row in verdicts.rows if row["verdict"] == "wrong"]
    assert wrong["mistake"] in one.kind.split()
    assert wrong["line"] == f"planted.py:{one.line}"


PRODUCT = """
class Product(PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b
    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensor()
        da = dy @ b.t()
        db = a.t() @ dy
        return db, da  # HERE
loss_of(Product.apply(a, b)).backward()
"""


def test_one_edit_that_explains_all_wrong_gradients_is_told_alone(tmp_path):
    one = Planted("gradients returned in the wrong order", "swapped", HEAD + PRODUCT)
    verdicts = said_by("check", one, tmp_path)
    assert [(row["mistake"], row["line"]) for row in verdicts.rows if row["verdict"] == "wrong"] == [
        ("swapped", f"planted.py:{one.line}")
    ] * 2
    assert "or line" not in verdicts.text
    right = one._replace(script=one.script.replace("return db, da", "return da, db"))
    assert said_by("check", right, tmp_path).code == 0


@cases(NANS)
def test_where_numbers_stop_being_finite_is_found(one, tmp_path):
    verdicts = said_by("nan", one, tmp_path)
    born = next(row for row in verdicts.rows if row["state"] == "born")
    assert verdicts.code == 3
    assert (born["op"], born["where"]) == (one.kind, f"planted.py:{one.line}")


@cases(CONTROLS)
def test_a_correct_script_is_cleared_by_every_tool(one, tmp_path):
    said = {tool: said_by(tool, one, tmp_path) for tool in one.tools}
    assert {tool: verdicts.code for tool, verdicts in said.items()} == dict.fromkeys(one.tools, 0)
    rows = said["check"].rows
    assert rows
    assert {row["verdict"] for row in rows} <= {"ok", "intended"}


def test_there_are_enough_of_them():
    assert len([*MISTAKES, *NANS]) >= 190
    assert len(CONTROLS) >= 90
    names = [one.name for one in [*MISTAKES, *NANS, *CONTROLS]]
    assert len(set(names)) == len(names)
