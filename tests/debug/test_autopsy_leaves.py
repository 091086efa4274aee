"""What is as it should be is no finding; and why a leaf, a result or data is what it is, whoever made it."""

import inspect

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.checks.flow import gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_lines, why_name
from tests.support.recordings import weight


def bias_before_batch_norm():
    conv, norm = paddle.nn.Conv2D(1, 2, 3), paddle.nn.BatchNorm2D(2)
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=[2, 1, 5, 5]).astype("float32"))
    (norm(conv(x)) ** 3).sum().backward()
    return conv, norm


def bias_of_a_key():
    query, key = paddle.nn.Linear(3, 3), paddle.nn.Linear(3, 3)
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=[4, 3]).astype("float32"))
    scores = F.softmax(query(x) @ key(x).t())
    ((scores @ x) ** 2).sum().backward()
    return query, key


def a_frozen_network():
    net, head = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 1)
    for parameter in net.parameters():
        parameter.stop_gradient = True
    opt = paddle.optimizer.SGD(0.1, parameters=head.parameters())
    head(net(paddle.ones([3, 2]))).mean().backward()
    opt.step()
    return net, head


def a_generator_in_the_step_of_the_other():
    made, judge = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 1)
    one = paddle.optimizer.SGD(0.1, parameters=judge.parameters())
    paddle.optimizer.SGD(0.1, parameters=made.parameters())
    judge(made(paddle.ones([3, 2])).detach()).mean().backward()
    one.step()
    return made, judge


def what_begins_with_zeros():
    down, up = weight(), weight(np.zeros([2, 2], "float32"))
    ((paddle.ones([2, 2]) @ down @ up) - 1).square().sum().backward()
    return down, up


def a_leaf_that_was_made_and_then_asked():
    e = paddle.ones([2])
    e.stop_gradient = False
    (e * 2).sum().backward()
    return (e,)


@pytest.mark.parametrize(
    "function",
    [
        bias_before_batch_norm,
        bias_of_a_key,
        a_frozen_network,
        a_generator_in_the_step_of_the_other,
        what_begins_with_zeros,
        a_leaf_that_was_made_and_then_asked,
    ],
)
def test_what_is_as_it_should_be_is_no_finding(record, function):
    flow = gradient_flow(record(function))
    assert flow.reasons == []
    assert flow.findings == []


def test_every_leaf_that_got_a_gradient_counts(record):
    def script():
        e = paddle.zeros([2])
        e.stop_gradient = False
        paddle.log(e).sum().backward()
        return e

    flow = gradient_flow(record(script))
    assert flow.summary == "pass 1: 1 parameters, 1 Inf"
    assert [row.name for row in flow.findings] == ["e"]


def test_a_parameter_that_no_optimizer_has_is_named(record):
    def script():
        net, head = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 1)
        opt = paddle.optimizer.SGD(0.1, parameters=head.parameters())
        head(net(paddle.ones([3, 2]))).mean().backward()
        opt.step()
        return net

    flow = gradient_flow(record(script))
    ((sentence, names),) = flow.reasons
    assert sentence == f"no optimizer has {names[0]}: it gets a gradient, and nothing updates it"
    assert sorted(names) == ["net.bias", "net.weight"]
    assert len(flow.findings) == 2


def test_why_of_data_names_to_tensor(record):
    def script():
        x, w = paddle.to_tensor([1.0]), weight([2.0])
        (x * w).sum().backward()
        return x

    session = Session(record(script))
    (line,) = why_lines(session, why_name(session, "x"))
    assert line.startswith("x gets no gradient: to_tensor (test_autopsy_leaves.py:")


def test_why_of_a_leaf_that_an_operator_made(record):
    """``x = paddle.randn(..); x.stop_gradient = False`` is the commonest line of the documentation."""

    def script():
        x, unused = paddle.randn([2]), paddle.randn([2])
        x.stop_gradient = unused.stop_gradient = False
        (x * x).sum().backward()
        return x, unused

    session = Session(record(script))
    first, *_ = why_lines(session, why_name(session, "x"))
    assert first.startswith("the gradient of x is well")
    assert list(why_lines(session, why_name(session, "unused"))) == [
        "unused gets no gradient: no operator used it before this backward pass"
    ]


def test_why_of_a_result_says_what_made_it(record):
    def script():
        w = weight()
        h = w * 2
        h.sum().backward()
        return h

    session = Session(record(script))
    first, *others = why_lines(session, why_name(session, "h"))
    assert first.startswith("h was made by scale (test_autopsy_leaves.py:")
    assert others[0].startswith("rule     h = ")


class Branching(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.main, self.aside = paddle.nn.Linear(2, 1), paddle.nn.Linear(2, 1)

    def forward(self, x, both):
        out = self.main(x)
        if both:  # here
            out = out + self.aside(x)
        return out


def test_a_branch_that_was_not_taken_is_named(record):
    def script():
        net = Branching()
        net(paddle.ones([1, 2]), both=False).sum().backward()
        return net

    trace = record(script)
    ((sentence, names),) = gradient_flow(trace).reasons
    assert sentence.endswith(with_line_of_if("the branch at {here} that names it was not taken"))
    assert sorted(names) == ["aside.bias", "aside.weight"]
    assert next(iter(why_lines(Session(trace), why_name(Session(trace), names[0])))) == sentence


def with_line_of_if(text):
    lines, first = inspect.getsourcelines(Branching)
    (line,) = [number for number, one in enumerate(lines, first) if one.endswith("# here\n")]
    return text.format(here=f"test_autopsy_leaves.py:{line}")


def why_w(trace, position="end"):
    session = Session(trace)
    session.goto(position)
    return list(why_lines(session, why_name(session, "w")))


@pytest.mark.parametrize("position", ["begin", "end"])
def test_what_an_optimizer_took_is_said_where_a_clip_has_changed_it(record, position):
    def script():
        w = weight()
        opt = paddle.optimizer.SGD(0.1, [w], grad_clip=paddle.nn.ClipGradByNorm(0.5))
        (w * 10).sum().backward()
        opt.step()
        return w

    first, *others = why_w(record(script), position)
    assert first.startswith("the gradient of w is well")
    assert any("took it as 0.5; it was 20 before clip_by_norm (" in line for line in others)


def test_what_a_clip_changed_is_what_all_passes_have_added_up(record):
    """It was said to be what the last pass alone had brought."""

    def script():
        w = weight()
        opt = paddle.optimizer.SGD(0.1, [w], grad_clip=paddle.nn.ClipGradByNorm(0.5), weight_decay=0.1)
        for _ in range(2):
            (w * 10).sum().backward()
        opt.step()
        return w

    said = why_w(record(script))
    assert any("; it was 40 before clip_by_norm (" in line for line in said)


def test_a_gradient_that_no_optimizer_took_is_not_said_to_be_taken(record):
    """As a loss scaler does it where there is an Inf: the update after the next pass took the gradient of that."""

    def script():
        w = weight()
        opt = paddle.optimizer.SGD(0.1, [w], grad_clip=paddle.nn.ClipGradByNorm(0.5))
        for step in range(2):
            (w * 10).sum().backward()
            if step:
                opt.step()
            opt.clear_grad()
        return w

    trace = record(script)
    assert not any("took it" in line for line in why_w(trace, "begin"))
    assert any("took it" in line for line in why_w(trace, "end"))


def test_a_clip_that_reads_its_results_twice_many_times_is_gone_through_once(record):
    class Doubling(paddle.nn.ClipGradByValue):
        def __call__(self, params_grads):
            clipped = []
            for parameter, grad in params_grads:
                for _ in range(60):
                    grad = (grad + grad) * 0.5
                clipped.append((parameter, grad * 0.1))
            return clipped

    def script():
        w = weight()
        opt = paddle.optimizer.SGD(0.1, [w], grad_clip=Doubling(1.0))
        (w * 10).sum().backward()
        opt.step()
        return w

    said = why_w(record(script))
    assert any("; it was 20 before add (" in line for line in said), said
