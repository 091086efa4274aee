"""`flow` names the line where a mistake was made, not only the line where it shows."""

from types import SimpleNamespace

import pytest

from minipaddle import paddle
from minipaddle.engine.errors import Line
from minipaddle.tools.checks.flow import gradient_flow, why_lines
from minipaddle.tools.checks.training.steps import mistake, steps_of
from minipaddle.tools.explain.user_source import integers_made
from tests.support.planted import planted
from tests.support.training_loops import written

SCRIPTS = planted("lines")


def cases(scripts):
    return pytest.mark.parametrize("one", scripts, ids=[one.name for one in scripts])


@cases([one for one in SCRIPTS if one.kind])
def test_the_line_of_the_making_is_named(record, tmp_path, one):
    said = list(why_lines(gradient_flow(record(written(one, tmp_path)))))
    about = [sentence for sentence in said if one.kind in sentence]
    assert about, said
    assert any(f"planted.py:{one.line_in(one.body)}" in sentence for sentence in about), about


@cases([one for one in SCRIPTS if not one.kind])
def test_nothing_is_said_of_a_script_like_it(record, tmp_path, one):
    assert list(why_lines(gradient_flow(record(written(one, tmp_path))))) == []


def test_a_line_is_named_though_another_begins_with_its_number(record):
    """Line 2 is to change, and the sentence is about a line 2x: `planted.py:2` begins `planted.py:20`."""
    trace = record(
        lambda: (paddle.ones([2]) * paddle.to_tensor([1.0, 2.0], stop_gradient=False)).sum().backward()
    )
    (step,) = steps_of(trace)
    shows, made = Line("planted.py", 20, ""), Line("planted.py", 2, "")
    assert mistake("it shows at {where}", shows, step, blamed=made).sentence.endswith(": planted.py:2")
    assert mistake("it shows at {where}", shows, step, blamed=shows).sentence == "it shows at planted.py:20"


def test_a_name_that_contains_int_makes_no_integers():
    source = "points.astype('float32')\npoints.astype('int64')\nnp.uint8(tint)\npaddle.floor(tint)\nx // 2\n"
    found = integers_made(SimpleNamespace(sources={"planted.py": source}))
    assert [line.number for line in found] == [2, 3, 4, 5]
