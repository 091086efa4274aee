"""Which gradient rule applied an operator is told by the walk: equal numbers, shapes and names decide nothing."""

from minipaddle import paddle
from tests.support.recordings import recorded


def parts(trace):
    """Return for each operator of the passes of `ones` its name, and name and line of the one whose rule it is."""
    first = ones.__code__.co_firstlineno
    ran = [event for event in trace.events if event.kind == "op" and event.phase == "backward"]
    rules = [None if event.part_of is None else trace.events[event.part_of] for event in ran]
    return [
        (event.title, None if rule is None else (rule.title, trace.events[rule.origin].where.number - first))
        for event, rule in zip(ran, rules, strict=True)
    ]


def ones():
    x = paddle.ones([1])
    x.stop_gradient = False
    a = x * x
    b = a * a
    (slope,) = paddle.grad(b, x, create_graph=True)
    slope.backward()


def test_each_operator_has_the_rule_that_applied_it():
    multiplied = ("multiply", ("multiply", 4)), ("multiply", ("multiply", 4)), ("add", None)
    again = ("multiply", ("multiply", 3)), ("multiply", ("multiply", 3)), ("add", None)
    assert parts(recorded(ones)) == [*multiplied, *again]


def test_what_a_hook_computes_is_no_part_of_a_rule():
    def script():
        x = paddle.ones([1])
        x.stop_gradient = False
        a = x * 2.0
        a.register_hook(lambda grad: grad * 1.0)
        (slope,) = paddle.grad(a * a, x, create_graph=True)
        slope.backward()

    trace = recorded(script)
    hooked = [event for event in trace.events if event.parent is not None and event.owner == "hook"]
    ran = [event.part_of for event in hooked if event.kind == "op"]
    assert ran == [None, None], "once in each pass"
    rules = [trace.events[e.part_of].title for e in trace.events if e.kind == "op" and e.part_of is not None]
    assert rules == ["multiply", "multiply", "scale"]


def test_the_body_of_a_pylayer_is_a_part_of_its_rule():
    class Same(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1.0

        @staticmethod
        def backward(ctx, dy):
            return dy * 1.0

    def script():
        x = paddle.ones([1])
        x.stop_gradient = False
        (slope,) = paddle.grad(Same.apply(x * x), x, create_graph=True)
        slope.backward()

    trace = recorded(script)
    inside = [event for event in trace.events if event.owner == "pylayer_grad" and event.kind == "op"]
    assert [trace.events[event.part_of].op for event in inside] == ["pylayer_grad"]


def test_a_rule_that_nobody_differentiates_applies_none():
    def script():
        x = paddle.ones([1])
        x.stop_gradient = False
        (x * x).backward()

    assert parts(recorded(script)) == []
