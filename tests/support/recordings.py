"""Recordings of functions, and what a test asks of them."""

import minipaddle as paddle
from minipaddle.core.watching import watching
from minipaddle.trace import Recorder


def recorded(function, **options):
    recorder = Recorder(__file__, **options)
    with watching(recorder):
        function()
    return recorder.finish()


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def named(trace, name):
    return [value.array.tolist() for value in trace.values if value.name == name]


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
