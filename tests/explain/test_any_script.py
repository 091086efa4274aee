"""Every tool has an answer for every recorded event of random scripts, whose tensors are of sizes 0, 1 and more."""

import pytest
from hypothesis import given, settings

from minipaddle.tools.checks.diff import compare, compare_lines
from minipaddle.tools.checks.flow import flow_lines, gradient_flow, why_lines
from minipaddle.tools.checks.nan import hunt, hunt_lines
from minipaddle.tools.explain.why import why
from minipaddle.tools.page import page_of
from minipaddle.tools.picture import graph
from tests.support.any_script import recorded_program, recorded_script, scripts
from tests.support.recordings import computes

pytestmark = pytest.mark.sweep


@pytest.mark.parametrize("record", [recorded_script, recorded_program])
@settings(max_examples=60)
@given(script=scripts)
def test_why_and_verdicts_answer_for_every_event(record, script):
    trace = record(script)
    for event in trace.events:
        for line in why(trace, event).numbers:
            assert line.count(" = ") != 2 or "..." in line or computes(line), line
    flow = gradient_flow(trace)
    assert flow_lines(flow)
    assert all(isinstance(line, str) for line in [*why_lines(flow), *hunt_lines(hunt(trace), trace)])
    assert compare_lines(compare(trace, trace)) == compare_lines([])


@pytest.mark.parametrize("record", [recorded_script, recorded_program])
@settings(max_examples=30)
@given(script=scripts)
def test_pictures_and_pages_draw_every_operator(record, script):
    trace = record(script)
    if not trace.events:
        return
    picture = graph(trace, fold="none")
    assert picture.dot.startswith("digraph")
    assert b"<script" in page_of(picture).data
    drawn = [node for node in picture.graph.nodes.values() if node.kind != "update"]
    values = [one for node in drawn for one in (*node.results, *node.takes, *node.saved)]
    called = {(value.name, value.id if value.of is None else value.of) for value in values}
    assert len(called) == len({name for name, _ in called}), called
