"""`flow` names the line where a mistake was made, not only the line where it shows."""

import pytest

from minipaddle.tools.checks.flow import gradient_flow, why_lines
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
