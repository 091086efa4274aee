"""Why a gradient is missing, zero, tiny, huge or NaN: the sentence names the cause and the line, in `why` and `flow`.

The line that is to be blamed bears the remark ``here``.
"""

import inspect

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.tools.checks.flow import flow_lines, gradient_flow
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_lines, why_name
from tests.support.recordings import W, weight


def detached():
    w, v = weight(), weight()
    h = (paddle.ones([2, 2]) @ w).detach()  # here
    (h @ v).sum().backward()
    return w, v


def through_numpy():
    w, v = weight(), weight()
    h = paddle.ones([2, 2]) @ w
    again = paddle.to_tensor(h.numpy())  # here
    (again @ v).sum().backward()
    return w, v


def through_a_function_of_numpy():
    w, v = weight(), weight()
    h = paddle.ones([2, 2]) @ w
    numbers = h.numpy()  # here
    (paddle.to_tensor(np.tanh(numbers)) @ v).sum().backward()
    return w, v


def copied():
    w, v = weight(), weight()
    h = paddle.to_tensor(paddle.ones([2, 2]) @ w)  # here
    (h @ v).sum().backward()
    return w, v


def without_grad():
    w, v = weight(), weight()
    with paddle.no_grad():
        h = paddle.ones([2, 2]) @ w  # here
    (h @ v).sum().backward()
    return w, v


def stopped():
    w, v = weight(), weight()
    h = paddle.ones([2, 2]) @ w
    h.stop_gradient = True  # here
    (h @ v).sum().backward()
    return w, v


def without_a_gradient():
    w, v = weight(), weight()
    h = paddle.ones([2, 2]) @ w
    best = paddle.argmax(h, axis=1)  # here
    ((best.astype("float32") + 1) @ v).sum().backward()
    return w, v


def a_layer_of_ones_own_that_says_none():
    class Silent(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, dy):
            return None

    w = weight()
    h = Silent.apply(paddle.ones([2, 2]) @ w)  # here
    (h + 1).sum().backward()
    return (w,)


def aside():
    w, v = weight(), weight()
    other = (paddle.ones([2, 2]) @ w).sum()  # here
    v.sum().backward()
    return w, v, other


def read_as_a_float():
    w = paddle.full([2, 2], 0.5)  # made by an operator, and a leaf since the next line
    w.stop_gradient = False
    v = weight()
    share = float((paddle.ones([2, 2]) @ w).sum())  # here
    (v * share).sum().backward()
    return w, v


def dead():
    w = weight(-np.abs(W))
    h = F.relu(paddle.ones([2, 2]) @ w)  # here
    h.sum().backward()
    return (w,)


def saturated():
    w = weight(200 * np.abs(W))
    h = F.sigmoid(paddle.ones([2, 2]) @ w)  # here
    h.sum().backward()
    return (w,)


def cut_off():
    w = weight(100 * np.abs(W))
    h = paddle.clip(paddle.ones([2, 2]) @ w, -1, 1)  # here
    h.sum().backward()
    return (w,)


def flat():
    w = weight()
    h = paddle.round(paddle.ones([2, 2]) @ w)  # here
    h.sum().backward()
    return (w,)


def masked():
    w, mask = weight(), paddle.zeros([2, 2])
    h = (paddle.ones([2, 2]) @ w) * mask  # here
    h.sum().backward()
    return (w,)


def cancelled():
    w = weight()
    h = paddle.ones([2, 2]) @ w
    (h - h * 1.0).sum().backward()
    return (w,)


def a_hook():
    w = weight()
    h = paddle.ones([2, 2]) @ w
    h.register_hook(lambda grad: grad * 0)  # here
    h.sum().backward()
    return (w,)


def starved():
    w = weight()
    h = paddle.ones([2, 2]) @ w
    for _ in range(30):
        h = F.sigmoid(h)  # here
    h.sum().backward()
    return (w,)


def starved_to_nothing():
    w = weight()
    h = paddle.ones([2, 2]) @ w
    for _ in range(90):
        h = F.sigmoid(h)  # here
    h.sum().backward()
    return (w,)


def grown():
    w = weight()
    h = paddle.ones([2, 2])
    for _ in range(12):
        h = h @ (w * 10)  # here
    h.sum().backward()
    return (w,)


def multiplied():
    w = weight()
    loss = (w * 1e6).sum()  # here
    loss.backward()
    return (w,)


def logarithm():
    w = weight([0.0, 1.0])
    loss = (paddle.log(w) * 0).sum()  # here
    loss.backward()
    return (w,)


def sqrt_of_zero():
    w = weight([0.0, 1.0])
    loss = paddle.sqrt(w * w).sum()  # here
    loss.backward()
    return (w,)


MISSING = [
    (detached, "detach() at {here} takes"),
    (through_numpy, "to_tensor() of its numpy() at {here} takes h out"),
    (through_a_function_of_numpy, "numpy() at {here} hands the numbers of h to Python"),
    (copied, "to_tensor() at {here} takes"),
    (without_grad, "matmul ({here}) ran under paddle.no_grad"),
    (stopped, "stop_gradient = True at {here} takes h out"),
    (without_a_gradient, "argmax ({here})"),
    (read_as_a_float, "float() at {here} gave its numbers to Python"),
    (aside, "it leads to other ({here}), which is no part of what backward began with"),
]
BAD = [
    (dead, "dead", "relu ({here}) is dead, all 4 elements"),
    (saturated, "dead", "sigmoid ({here}) is saturated at all 4 elements"),
    (cut_off, "dead", "clip ({here}) cuts off all 4 elements"),
    (flat, "dead", "round ({here}) is flat everywhere"),
    (masked, "dead", "multiply ({here}) multiplies it by mask, which is all zero"),
    (cancelled, "dead", "what came back to h cancels ("),
    (a_layer_of_ones_own_that_says_none, "dead", "Silent.backward ({here}) returned None"),
    (a_hook, "dead", "a hook ({here}) gave zeros"),
    (starved, "vanishing", "{here} multiplies it by "),
    (starved_to_nothing, "dead", "{here} makes it too small for float32"),
    (grown, "exploding", "(matmul, scale, 4 calls, h is as large as "),
    (multiplied, "exploding", "{here} multiplies it by 1e+06 ("),
    (logarithm, "NaN", "({here})"),
    (sqrt_of_zero, "NaN", "({here})"),
]


def with_line(function, text):
    lines, first = inspect.getsourcelines(function)
    found = [number for number, line in enumerate(lines, first) if line.endswith("# here\n")]
    return text.format(here=f"test_autopsy.py:{found[0]}" if found else "")


@pytest.mark.parametrize(("function", "text"), MISSING, ids=lambda one: getattr(one, "__name__", ""))
def test_a_missing_gradient_has_a_reason(record, function, text):
    trace = record(function)
    text = with_line(function, text)
    rows = {row.name: row.verdict for row in gradient_flow(trace).rows if row.is_parameter}
    assert (rows["w"], rows["v"]) == ("unused", "ok")
    sentence, _ = gradient_flow(trace).reasons[0]
    (first, *_) = why_lines(Session(trace), why_name(Session(trace), "w"))
    assert sentence == first
    assert sentence.startswith("w gets no gradient: ")
    assert text in sentence
    assert sentence in flow_lines(gradient_flow(trace))


@pytest.mark.parametrize(("function", "verdict", "text"), BAD, ids=lambda one: getattr(one, "__name__", ""))
def test_a_bad_gradient_has_a_reason(record, function, verdict, text):
    trace = record(function)
    flow = gradient_flow(trace)
    assert {row.verdict for row in flow.rows if row.name == "w" and row.is_parameter} == {verdict}
    ((sentence, names),) = flow.reasons
    assert names == ["w"]
    assert sentence.startswith("the gradient of w is ")
    assert with_line(function, text) in sentence
    session = Session(trace)
    assert next(iter(why_lines(session, why_name(session, "w.grad")))) == sentence
