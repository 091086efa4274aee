"""`check` accepts all right gradients: at kinks, ties, under rounding, of deciding parameters, and intended ones."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.gradient.check import check_trace, record_operator
from minipaddle.tools.checks.gradient.results import How, what_is_wrong
from minipaddle.tools.explain.catalogue import find
from tests.support.checked import RIGHT, A, F, layer, only, recording, verdicts


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_not_blamed(record, name):
    found = verdicts(recording(record, layer(*RIGHT[name][:2]), RIGHT[name][2]))
    assert found
    assert {one.verdict for one in found} == {"ok"}


OPERATORS = (
    "tanh exp log sqrt sigmoid relu gelu silu softplus elementwise_add elementwise_sub elementwise_mul elementwise_div "
    "matmul_v2 reduce_sum reduce_mean softmax log_softmax concat split stack transpose2 reshape2 square abs sin cos "
    "elementwise_max elementwise_min pow clip where gather cumsum layer_norm cross_entropy_with_softmax scale erf "
    "dropout leaky_relu elu rsqrt cholesky eigh svd inverse solve einsum"
)


@pytest.mark.parametrize("name", OPERATORS.split())
def test_no_operator_is_blamed(name):
    assert "wrong" not in {one.verdict for one in check_trace(record_operator(find(name)))}


@pytest.mark.parametrize("name", ["lstm", "gru", "simple_rnn"])
def test_what_draws_no_numbers_is_run_again(name):
    assert {one.verdict for one in check_trace(record_operator(find(name)))} == {"ok"}


def test_at_a_kink_nothing_is_sure(record):
    def script():
        x = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
        paddle.abs(x).sum().backward()

    assert "wrong" not in {one.verdict for one in check_trace(record(script))}


def test_a_sum_that_cancels_is_right_to_the_digits_of_its_parts(record):
    """The gradients of a bias before batch norm sum to zero: the rest is rounding."""

    def script():
        paddle.seed(0)
        x = paddle.randn([8, 5])
        b = paddle.zeros([5])
        b.stop_gradient = False
        h = F.batch_norm(x + b, paddle.zeros([5]), paddle.ones([5]), training=True)
        (h**3 * paddle.randn([8, 5])).sum().backward()

    found = [one for one in check_trace(record(script)) if one.name == "b"]
    assert [one.verdict for one in found] == ["ok"]
    assert abs(found[0].analytic) < 1e-5


def test_moving_all_elements_at_once_over_kinks_says_nothing(record):
    """Max-pooling over the zeros of a relu: the largest of them depends on the direction."""

    def script():
        paddle.seed(0)
        x = F.relu(paddle.randn([2, 4, 8, 8]))
        x.stop_gradient = False
        (F.max_pool2d(x, 2) * paddle.randn([2, 4, 4, 4])).sum().backward()

    found = [one for one in check_trace(record(script)) if one.name == "x"]
    assert found
    assert {one.verdict for one in found} == {"ok"}


def test_a_mask_of_huge_numbers_leaves_the_others_their_size(record):
    """A few scores of -1e9 move by their own size, and the others by theirs: no kink hides the gradient."""

    def script():
        paddle.seed(0)
        z = paddle.randn([16, 4])
        z.stop_gradient = False
        F.cross_entropy(z @ z.t() - 1e9 * paddle.eye(16), paddle.arange(15, -1, -1)).backward()

    assert {one.verdict for one in check_trace(record(script))} == {"ok"}


def test_zero_gradients_that_come_in_are_no_proof(record):
    def script(slope):
        x = paddle.to_tensor(A, stop_gradient=False)
        (layer(lambda x: x * x, lambda dy, x, y: slope * dy * x).apply(x) * 0.0).sum().backward()

    found = only(record(lambda: script(2)))
    assert (found.verdict, found.covered) == ("unchecked", 0)
    assert "zero" in found.cause
    assert only(record(lambda: script(3))).verdict == "wrong"


def test_what_rounding_does_is_no_mistake(record):
    def large():
        x = paddle.to_tensor(np.array([1.0, 1e9, -1e9], "float32"), stop_gradient=False)
        (x + 1.0).sum().backward()

    assert {one.verdict for one in check_trace(record(large))} == {"ok"}
    half = layer(
        lambda x: (x.astype("float16") * 3).astype("float32"),
        lambda dy, x, y: (dy.astype("float16") * 3).astype("float32"),
    )
    assert only(recording(record, half, [A * 1.37])).verdict == "ok"


def test_ties_are_a_choice(record):
    pool = layer(lambda x: x.max(axis=1), lambda dy, x, y: dy.unsqueeze(1) * paddle.to_tensor([[1.0, 0.0]]))
    assert only(recording(record, pool, [np.zeros((3, 2), "f4")])).verdict == "ok"
    assert only(recording(record, pool, [np.array([[0, 1.0]], "f4")])).verdict == "wrong"


SURROGATES = {
    "reversed": (lambda x: x.clone(), lambda dy, x, y: -0.3 * dy),
    "clipped": (lambda x: x * 1, lambda dy, x, y: dy.clip(-0.6, 0.6)),
    "straight through": (paddle.round, lambda dy, x, y: dy),
    "straight through within bounds": (paddle.sign, lambda dy, x, y: dy * (x.abs() <= 1).astype(dy.dtype)),
    "a step, straight through": (lambda x: (x > 0).astype("float32"), lambda dy, x, y: dy.clone()),
}
MISTAKES = {
    "reversed, of a square": (lambda x: x * x, lambda dy, x, y: -2 * dy * x),
    "an identity without a gradient": (lambda x: x.clone(), lambda dy, x, y: dy * 0),
    "half of what comes in, of steps": (paddle.floor, lambda dy, x, y: 0.5 * dy),
    "straight through a relu": (paddle.nn.functional.relu, lambda dy, x, y: dy),
    "straight through an identity by chance": (lambda x: x * x / x.detach().abs(), lambda dy, x, y: dy * 2),
}
VALUES = np.array([[0.4, -1.3], [2.2, -0.7]], "f4")


@pytest.mark.parametrize(("forward", "backward"), SURROGATES.values(), ids=SURROGATES)
def test_a_known_recipe_of_another_gradient_is_meant(record, forward, backward):
    found = only(recording(record, layer(forward, backward), [VALUES]))
    assert (found.verdict, found.mistake) == ("intended", "surrogate")
    assert "differs from the derivative" in what_is_wrong(found)


@pytest.mark.parametrize(("forward", "backward"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_no_recipe(record, forward, backward):
    assert only(recording(record, layer(forward, backward), [VALUES])).verdict == "wrong"


def test_an_identity_that_clips_nothing_in_this_run_is_no_mistake(record):
    identity = layer(lambda x: x.clone(), lambda dy, x, y: dy.clip(-100, 100))
    assert only(recording(record, identity, [VALUES])).verdict in ("ok", "intended")


def test_a_mark_at_the_class_above_it_or_at_its_docstring_says_that_a_backward_is_meant(record):
    class Marked(paddle.autograd.PyLayer):  # minipaddle: not the gradient
        forward = staticmethod(lambda ctx, x: paddle.sign(x))
        backward = staticmethod(lambda ctx, dy: dy * 2)

    # minipaddle: not the gradient
    class Above(paddle.autograd.PyLayer):
        forward = staticmethod(lambda ctx, x: paddle.sign(x))
        backward = staticmethod(lambda ctx, dy: dy * 2)

    class Inside(paddle.autograd.PyLayer):
        """Sign."""  # minipaddle: not the gradient

        forward = staticmethod(lambda ctx, x: paddle.sign(x))
        backward = staticmethod(lambda ctx, dy: dy * 2)

    for cls in (Marked, Above, Inside):
        assert only(recording(record, cls, [A]), cls.__name__).verdict == "intended"


def test_a_name_says_that_a_backward_is_meant(record):
    trace = recording(record, layer(lambda x: x * 2, lambda dy, x, y: -dy), [A])
    for names, verdict in ((), "wrong"), (["Planted"], "intended"):
        (found,) = [one for one in check_trace(trace, How(intended=names)) if one.event.title == "Planted"]
        assert found.verdict == verdict


def test_code_that_raises_when_it_is_called_again_is_unchecked(record):
    calls = []

    def once(x):
        calls.append(1)
        if len(calls) > 1:
            raise AttributeError("only once")
        return paddle.to_tensor(x.numpy() * 2)

    found = only(recording(record, layer(once, lambda dy, x, y: dy * 2), [A]))
    assert (found.verdict, found.cause) == ("unchecked", "AttributeError: only once")


def test_of_many_calls_of_a_built_in_operator_some_are_checked_and_of_a_pylayer_all(record):
    """Of 201 calls of `tanh` at one line each fifth is checked: an odd step, since two calls of a line take turns."""
    double = layer(lambda x: 2 * x, lambda dy, x, y: 2 * dy)

    def script():
        x = paddle.to_tensor([0.5], stop_gradient=False)
        for _ in range(201):
            x = paddle.tanh(double.apply(x) / 2)
        x.backward()

    trace = record(script)
    (of_layer,) = verdicts(trace)
    (of_tanh,) = verdicts(trace, "tanh")
    assert (of_layer.checked_calls, of_layer.calls, of_layer.verdict) == (201, 201, "ok")
    assert (of_tanh.checked_calls, of_tanh.calls, of_tanh.verdict) == (41, 201, "ok")
