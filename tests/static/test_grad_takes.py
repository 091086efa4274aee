"""Outputs that are by-products for Paddle: their gradient operator takes no zeros for them."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, Eager, within
from minipaddle.engine.operator.operator import operators
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.loss.cross_entropy import softmax_with_cross_entropy
from minipaddle.paddle import static
from minipaddle.paddle.autograd.grad import grad
from tests.support.cases import for_each

LOGITS = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, 1.0]])
LABEL = np.array([[2], [0]])


@pytest.fixture
def program():
    paddle.enable_static()
    main = static.Program()
    with paddle.utils.unique_name.guard(), static.program_guard(main, static.Program()):
        yield main
    paddle.disable_static()


def placeholders():
    x, label = static.data("x", [2, 3], "float64"), static.data("label", [2, 1], "int64")
    x.stop_gradient = False
    return x, label


def run(main, fetch):
    return static.Executor().run(main, feed={"x": LOGITS, "label": LABEL}, fetch_list=fetch)


def eager(weigh):
    """The gradient of what `weigh` makes of softmax and loss."""
    x = Eager.tensor(LOGITS.copy())
    x.stop_gradient = False
    with within(EAGER):
        softmax, loss = softmax_with_cross_entropy(x, Eager.tensor(LABEL))
        return grad([weigh(softmax, loss)], [x])[0].array


def test_only_the_loss_is_differentiated(program):
    x, label = placeholders()
    _, loss = softmax_with_cross_entropy(x, label)
    (dx,) = static.gradients(loss, x)
    assert [op.type for op in program.global_block().ops[1:]] == [
        "fill_any_like",
        "softmax_with_cross_entropy_grad",
    ]
    assert sorted(program.global_block().ops[-1].input_names) == ["Label", "Loss@GRAD", "Softmax"]
    np.testing.assert_allclose(run(program, [dx])[0], eager(lambda softmax, loss: loss))


def test_a_by_product_that_is_used_has_its_gradient_too(program):
    x, label = placeholders()
    softmax, loss = softmax_with_cross_entropy(x, label)
    (dx,) = static.gradients(softmax * softmax * loss, x)
    call = next(op for op in program.global_block().ops if op.type == "softmax_with_cross_entropy_grad")
    assert "Softmax@GRAD" in call.input_names
    np.testing.assert_allclose(run(program, [dx])[0], eager(lambda softmax, loss: softmax * softmax * loss))


def test_such_a_gradient_can_be_differentiated_again(program):
    x, label = placeholders()
    _, loss = softmax_with_cross_entropy(x, label)
    (dx,) = static.gradients(loss, x)
    (ddx,) = static.gradients(dx * dx, x)
    share = np.exp(LOGITS) / np.exp(LOGITS).sum(1, keepdims=True)
    slope = 2 * (share - np.eye(3)[LABEL[:, 0]])
    np.testing.assert_allclose(
        run(program, [ddx])[0], share * (slope - (slope * share).sum(1, keepdims=True))
    )


@for_each("op", {op.type: op for op in operators()})
def test_what_is_not_taken_is_kept_so_that_zeros_can_be_made_like_it(op):
    kept = {source.place for rule in op.rules for source in rule.sources if source.kind == "output"}
    assert {place for place in op.differentiable if place not in printed(op).grad_takes} <= kept
