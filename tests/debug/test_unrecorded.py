"""Where a gradient ends, `why` names its cause, and nothing else."""

import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from minipaddle.tools.words.events import title
from tests.support.recordings import leaf


def answers(record, script):
    """`why` of every event of a script, by its title."""
    session = Session(record(script))
    events = (session.trace.events[index] for index in session.stops)
    return {title(event): why(session.trace, event) for event in events}


class _Marked(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        result = x * 2
        ctx.mark_non_differentiable(result)
        return result

    @staticmethod
    def backward(ctx, dy):
        return dy


def _without_grad(x):
    with paddle.no_grad():
        return x * 2


def _stopped(x):
    x = x * 2
    x.stop_gradient = True
    return x * 2


CUTS = {
    "greater_than": (lambda x: (x > 0).astype("float32"), "greater_than", "has no gradient"),
    "argmax": (lambda x: paddle.argmax(x).astype("float32"), "argmax", "has no gradient"),
    "a mask": (
        lambda x: F.max_pool1d(x.reshape([1, 1, 2]), 2, return_mask=True)[1].astype("float32").sum(),
        "max_pool2d_with_index",
        "has no gradient",
    ),
    "no_grad": (_without_grad, "scale", "ran under paddle.no_grad"),
    "no_grad in a PyLayer": (
        lambda x: paddle.no_grad()(_Marked.apply)(x),
        "_Marked",
        "ran under paddle.no_grad",
    ),
    "stop_gradient": (_stopped, "scale", "required gradient, but stop_gradient was set to True"),
    "marked": (_Marked.apply, "_Marked", "marked its result as not differentiable"),
}


@pytest.mark.parametrize("name", CUTS)
def test_where_a_gradient_ends_only_what_ended_it_is_named(record, name):
    function, op, reason = CUTS[name]

    def script():
        x, w = leaf([1.0, 1.0]), leaf([1.0, 1.0])
        (w * function(x)).sum().backward()

    found = answers(record, script)
    (said,) = [line for line in found["multiply_grad"].says if "gets none" in line]
    assert reason in said
    assert op in said
    others = {why for _, _, why in CUTS.values()} - {reason}
    assert not any(other in said for other in others)


@pytest.mark.parametrize("name", ["no_grad in a PyLayer", "marked"])
def test_of_a_layer_that_recorded_nothing_the_reason_is_told(record, name):
    says = answers(record, lambda: CUTS[name][0](leaf([1.0, 1.0])))["_Marked"].says
    assert ("paddle.no_grad was on" in says[-1]) == (name != "marked")
    assert ("marked its result" in says[-1]) == (name == "marked")


class _Squared(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * x * 2


class _Doubled(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        return dy * (paddle.ones([2]) + 1)


def _says_of(record, script):
    trace = record(script)
    return [
        line
        for event in trace.events
        if event.kind == "op" and event.phase == "backward"
        for line in why(trace, event).says
    ]


def test_a_pass_that_records_is_not_said_to_want_create_graph(record):
    def script():
        x = leaf([1.0, 1.0])
        (slope,) = paddle.grad(_Doubled.apply(x).sum(), x, create_graph=True)
        return slope

    says = _says_of(record, script)
    assert any("no input requires gradient" in line for line in says)
    assert not any("create_graph" in line for line in says)


def test_what_wants_a_gradient_in_backward_is_recorded_with_create_graph_only(record):
    def script():
        _Squared.apply(leaf([1.0, 1.0])).sum().backward()

    assert any("only with create_graph=True" in line for line in _says_of(record, script))
