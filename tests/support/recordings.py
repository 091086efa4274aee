"""Recordings of functions, and questions that tests ask about them."""

import re
from contextlib import nullcontext

import numpy as np

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.paddle import static
from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.labels import without_number


def recorded(function, **options):
    recorder = Recorder(__file__, **options)
    with watching(recorder):
        function()
    return recorder.finish()


def recorded_run(build, feed, runs=1, between=None, raises=None):
    """Build a Program and run it; return the recording, and what was fetched last.

    `between` is called with the Scope after every run; `raises` is a block around one that ends with an error.
    """
    recorder, fetched = Recorder("script.py"), None
    with within(EAGER), watching(recorder), static.scope_guard(static.Scope()):
        paddle.enable_static()
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard():
            fetches = build()
        exe = static.Executor()
        exe.run(startup)
        for _ in range(runs):
            with raises or nullcontext():
                fetched = exe.run(main, feed, fetches)
            if between is not None:
                between(static.global_scope())
        paddle.disable_static()
    return recorder.finish(), fetched


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def named(trace, name):
    return [value.array.tolist() for value in trace.values if without_number(value.name) == name]


def same_values(one, other):
    """Return whether the values of two recordings are equal, one by one; nan is nan, a lost value a lost one."""
    pairs = [(a.array, b.array) for a, b in zip(one.values, other.values, strict=True)]
    return all((a is None and b is None) or np.array_equal(a, b, equal_nan=True) for a, b in pairs)


def events(trace, kind):
    return [event for event in trace.events if event.kind == kind]


def kinds(trace):
    return [event.kind for event in trace.events]


class Double(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        out = x * 2
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, dy):
        return dy * 2


def asked(record, function, target, **options):
    session = Session(record(function, **options))
    session.goto(target)
    return why(session.trace, session.event)


def computes(line):
    """Take ``name[0] = 2 * 3 + 1 = 7`` apart; say whether its middle part gives its last."""
    names = {**vars(np), "true": 1.0, "false": 0.0}
    with np.errstate(all="ignore"):
        middle, last = [
            float(eval(_FIGURE.sub(r"float64(\g<0>)", side), names)) for side in line.split(" = ")[1:]
        ]
    return np.isclose(middle, last, rtol=2e-3, atol=1e-4, equal_nan=True)


_FIGURE = re.compile(r"(?<![\w.])\d[\d.]*(e[+-]?\d+)?")
"""A number as Python writes it: NumPy's numbers are divided by 0 without an exception."""


W = np.array([[0.5, -0.25], [0.75, 1.0]], "float32")


def weight(numbers=W):
    return paddle.to_tensor(numbers, stop_gradient=False)


def cuts():
    """Leave the graph, and enter it, in every way."""
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    h = w * 2
    a = paddle.to_tensor(h.numpy()[:1])
    b = h.detach()
    c = paddle.to_tensor(h)
    d = paddle.to_tensor(np.tanh(h.numpy()))
    e = h * 3
    e.stop_gradient = True
    return a + 1, b + 1, c + 1, d + 1, e + 1


def equal_parameters():
    """The script of issue 10."""
    constant = paddle.nn.initializer.Constant(1.0)
    a = paddle.create_parameter([2], "float32", default_initializer=constant)
    b = paddle.create_parameter([2], "float32", default_initializer=constant)
    optimizer = paddle.optimizer.SGD(0.1, parameters=[a, b])
    for _ in range(2):
        loss = a.sum() + b.sum()
        loss.backward()
    optimizer.step()
