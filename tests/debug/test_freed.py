"""An error about a freed graph: `why` names the tensor, its line, and the pass that freed it."""

import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_lines
from minipaddle.tools.record import Recorder


def twice():
    w = paddle.to_tensor([2.0], stop_gradient=False)
    h = w * w
    loss = (h * 3).sum()
    loss.backward()
    h.exp().sum().backward()


def the_same_again():
    w = paddle.to_tensor([2.0], stop_gradient=False)
    y = w.exp()
    y.backward()
    y.backward()


def retained_once():
    w = paddle.to_tensor([2.0], stop_gradient=False)
    y = w.exp()
    y.backward(retain_graph=True)
    y.backward()
    y.backward()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            retained_once,
            "y (exp, test_freed.py:29) has been gone through: pass 2 (test_freed.py:31) freed what",
        ),
        (twice, "h (multiply, test_freed.py:14) has been gone through: pass 1 (test_freed.py:16) freed what"),
        (
            the_same_again,
            "y (exp, test_freed.py:22) has been gone through: pass 1 (test_freed.py:23) freed what",
        ),
    ],
)
def test_why_names_what_was_freed_and_by_which_pass(script, said):
    recorder = Recorder(__file__)
    with watching(recorder), pytest.raises(SystemError, match="retain_graph=True"):
        script()
    session = Session(recorder.finish())
    session.goto("end")
    first, *message = why_lines(session)
    assert first.startswith(said)
    assert message[0].startswith("SystemError: (Fatal) TensorWrappers of")


@pytest.mark.parametrize(
    ("script", "tensor", "made", "freed"), [(twice, "h", 14, 16), (the_same_again, "y", 22, 23)]
)
def test_the_error_itself_names_them(script, tensor, made, freed):
    """The line that made the tensor is known only with an observer."""

    def by(error):
        return str(error.value).partition("[Hint: ")[2].replace(__file__, "here")

    with pytest.raises(SystemError, match="retain_graph=True") as plain:
        script()
    assert by(plain).startswith(f"{tensor} (")
    assert f'an earlier backward pass (File "here", line {freed}), which freed' in by(plain)
    with watching(Recorder(__file__)), pytest.raises(SystemError, match="retain_graph=True") as watched:
        script()
    assert f', File "here", line {made}) was gone through' in by(watched)
    assert by(watched).replace(f', File "here", line {made}', "", 1) == by(plain)


def test_every_answer_of_a_py_layer_is_shown(record):
    class Two(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, dy):
            a, b = ctx.saved_tensor()
            return dy * b, dy * a

    def script():
        a = paddle.to_tensor([2.0, 1.0], stop_gradient=False)
        b = paddle.to_tensor([3.0, 5.0], stop_gradient=False)
        Two.apply(a, b).sum().backward()
        return a, b

    session = Session(record(script))
    session.goto("b@GRAD")
    lines = [" ".join(line.split()) for line in why_lines(session)]
    assert {"a@GRAD [2] 3, 5", "b@GRAD [2] 2, 1"} <= set(lines)
