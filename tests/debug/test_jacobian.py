"""`jac` is about one input of a call, and all of its outputs."""

import json
import re

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.words.terminal import ASCII

A = np.array([3.0, 1.0, 2.0], "float32")


class InNumPy(paddle.autograd.PyLayer):
    """`a * a / b` and `a - 3 * b`, computed without operators."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        a, b = a.numpy(), b.numpy()
        return paddle.to_tensor(a * a / b), paddle.to_tensor(a - 3 * b)

    @staticmethod
    def backward(ctx, first, second):
        a, b = ctx.saved_tensor()
        return first * 2 * a / b + second, -first * a * a / b / b - 3 * second


CALLS = {
    "subtract": lambda a: a - a,
    "divide": lambda a: a / a,
    "power": lambda a: a**a,
    "matmul": lambda a: paddle.outer(a, a) @ paddle.outer(a, a),
    "split": lambda a: paddle.split(a, [1, 2]),
    "only the last of two": lambda a: paddle.split(a, [1, 2])[1],
    "NumPy, the same tensor twice": lambda a: InNumPy.apply(a, a),
    "NumPy, its last output": lambda a: InNumPy.apply(a, a)[1],
    "values and indices": lambda a: paddle.topk(a, 2)[0],
}


def said(session, line):
    lines = []
    prompt = Prompt(session, ASCII, lines.append, as_json=True)
    prompt.run(line)
    return json.loads(lines[-1]), prompt.failed


@pytest.mark.parametrize("name", CALLS)
def test_the_gradient_of_each_place_is_the_incoming_ones_times_its_jacobian(record, name):
    def script():
        a = paddle.to_tensor(A, stop_gradient=False)
        made = CALLS[name](a)
        sum((one * one).sum() for one in (made if isinstance(made, (list, tuple)) else [made])).backward()

    session, seen = Session(record(script)), 0
    for event in session.trace.events:
        if event.kind == "grad":
            session.go_to_event(event.index)
            seeds = zip(event.inputs, session.trace.known(session.trace.events[event.origin].outputs))
            rows = [
                np.zeros(out.shape) if id_ is None else session.trace.values[id_].array
                for id_, out in seeds
                if out.dtype == "float32"
            ]
            incoming = np.concatenate([row.ravel() for row in rows])
            for place, gradient in enumerate(session.trace.value(id_) for id_ in event.outputs):
                told, failed = said(session, f"jac {place}")
                assert not failed, told
                found = (incoming @ told["jac"]).reshape(gradient.shape)
                assert np.allclose(found, gradient.array, rtol=1e-4, atol=1e-5), (event.title, place)
                seen += 1
    assert seen


def test_a_jacobian_has_a_row_for_each_element_of_all_outputs(record):
    def script():
        a = paddle.to_tensor(A, stop_gradient=False)
        sum(one.sum() for one in paddle.split(a * a, [1, 2])).backward()

    session = Session(record(script))
    session.goto("split")
    assert np.allclose(said(session, "jac")[0]["jac"], np.eye(3))


def test_there_is_no_jacobian_of_complex_numbers(record):
    def script():
        z = paddle.to_tensor(A + 1j * A, stop_gradient=False)
        paddle.real(z * z).sum().backward()

    session = Session(record(script))
    told, failed = said(session, "jac")
    assert failed
    assert re.search("real numbers", json.dumps(told))
