"""`check` finds planted mistakes and names their cause, and finds none where there are none."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.checks.example import record_operator
from minipaddle.checks.gradient.check import check_trace
from minipaddle.checks.gradient.results import How
from minipaddle.trace import load, save

F = paddle.nn.functional


def layer(forward, backward):
    """A PyLayer from two functions of what forward was given and what came in."""

    class Planted(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, *inputs):
            out = forward(*inputs)
            ctx.save_for_backward(*inputs, out)
            return out

        @staticmethod
        def backward(ctx, dy):
            *inputs, out = ctx.saved_tensor()
            return backward(dy, *inputs, out)

    return Planted


A = np.array([[0.7, 1.3], [2.1, 0.4]], "float32")
B = np.array([[1.1, 0.6], [0.9, 1.7]], "float32")
V = np.array([1.5, 0.8], "float32")

MISTAKES = {
    "factor 2": (lambda x: x * x, lambda dy, x, y: dy * x, [A], "factor"),
    "factor 3": (lambda x: x * x * x, lambda dy, x, y: dy * x * x, [A], "factor"),
    "half": (lambda x: x * 0.3, lambda dy, x, y: dy, [A], "factor"),
    "sign": (lambda x: -x, lambda dy, x, y: dy, [A], "sign"),
    "sign of the second": (lambda x, y: x - y, lambda dy, x, y, z: (dy, dy), [A, B], "sign"),
    "x forgotten": (lambda x: x * x, lambda dy, x, y: dy * 2, [A], "factor"),
    "x too much": (lambda x: x * x, lambda dy, x, y: 2 * dy * x * x, [A], "factor"),
    "y forgotten": (lambda x: paddle.exp(x), lambda dy, x, y: dy, [A], "factor"),
    "tanh without slope": (lambda x: paddle.tanh(x), lambda dy, x, y: dy, [A], "factor"),
    "sigmoid half done": (F.sigmoid, lambda dy, x, y: dy * y, [A], "factor"),
    "cos forgotten": (paddle.sin, lambda dy, x, y: dy, [A], "factor"),
    "dy forgotten": (lambda x: x * 3, lambda dy, x, y: paddle.ones_like(x) * 3, [A], "seed"),
    "inputs mixed up": (lambda x, y: x * y, lambda dy, x, y, z: (dy * x, dy * y), [A, B], "swapped"),
    "transposed": (
        lambda x, y: paddle.matmul(x, y),
        lambda dy, x, y, z: (paddle.matmul(dy, y, transpose_y=True), paddle.matmul(dy, x, transpose_x=True)),
        [A, B],
        "transposed",
    ),
    "mean for sum": (lambda x, v: x + v, lambda dy, x, v, z: (dy, paddle.mean(dy, axis=0)), [A, V], "mean"),
    "no gradient": (lambda x: x * x, lambda dy, x, y: paddle.zeros_like(x), [A], "zero"),
    "sum not divided": (lambda x: paddle.mean(x), lambda dy, x, y: dy * paddle.ones_like(x), [A], "mean"),
    "1/x forgotten": (paddle.log, lambda dy, x, y: dy, [A], "factor"),
    "term forgotten": (lambda x: x * x + x, lambda dy, x, y: 2 * dy * x, [A], "term"),
    "mask forgotten": (lambda x: F.relu(x - 1), lambda dy, x, y: dy, [A], "mask"),
    "wrong power": (lambda x: paddle.sqrt(x), lambda dy, x, y: dy * y, [A], "factor"),
    "wrong slope": (lambda x: paddle.sin(x), lambda dy, x, y: dy * paddle.cos(2 * x), [A], "factor"),
}


def recording(record, cls, arrays):
    def script():
        tensors = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]
        out = cls.apply(*tensors)
        weights = paddle.to_tensor(np.linspace(0.5, 1.5, out.size).reshape(out.shape).astype("float32"))
        (out * weights).sum().backward()

    return record(script)


def verdicts(trace, title="Planted"):
    return [one for one in check_trace(trace) if one.event.title == title]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_and_its_cause_named(record, name):
    forward, backward, arrays, kind = MISTAKES[name]
    found = verdicts(recording(record, layer(forward, backward), arrays))
    wrong = [one for one in found if one.verdict == "wrong"]
    assert wrong
    assert kind in [one.mistake for one in wrong], [(one.mistake, one.cause) for one in wrong]
    assert all(one.exact for one in wrong)
    for one in wrong:
        assert one.analytic != one.numeric


def test_most_causes_are_named():
    assert len(MISTAKES) >= 20
    assert sum(bool(kind) for *_, kind in MISTAKES.values()) >= 20


RIGHT = {
    "square": (lambda x: x * x, lambda dy, x, y: 2 * dy * x, [A]),
    "tanh": (paddle.tanh, lambda dy, x, y: dy * (1 - y * y), [A]),
    "matmul": (
        lambda x, y: paddle.matmul(x, y),
        lambda dy, x, y, z: (paddle.matmul(dy, y, transpose_y=True), paddle.matmul(x, dy, transpose_x=True)),
        [A, B],
    ),
    "bias": (lambda x, v: x + v, lambda dy, x, v, z: (dy, paddle.sum(dy, axis=0)), [A, V]),
    "relu": (F.relu, lambda dy, x, y: dy * (y > 0).astype("float32"), [A - 1]),
    "numpy": (
        lambda x: paddle.to_tensor(np.exp(x.numpy())),
        lambda dy, x, y: dy * paddle.to_tensor(np.exp(x.numpy())),
        [A],
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_not_blamed(record, name):
    found = verdicts(recording(record, layer(*RIGHT[name][:2]), RIGHT[name][2]))
    assert found
    assert {one.verdict for one in found} == {"ok"}


OPERATORS = (
    "tanh exp log sqrt sigmoid relu gelu silu softplus elementwise_add elementwise_sub elementwise_mul elementwise_div "
    "matmul_v2 reduce_sum reduce_mean softmax log_softmax concat split stack transpose2 reshape2 square abs sin cos "
    "elementwise_max elementwise_min pow clip where gather cumsum layer_norm cross_entropy_with_softmax scale erf "
    "dropout leaky_relu elu rsqrt cholesky eigh eigvalsh svd inverse solve einsum"
)


@pytest.mark.parametrize("name", OPERATORS.split())
def test_no_operator_is_blamed(name):
    from minipaddle.explain.catalogue import find

    op = find(name)
    if op is not None:
        assert "wrong" not in {one.verdict for one in check_trace(record_operator(op.type))}


@pytest.mark.parametrize(
    ("type", "said"), [("lstm", "ok"), ("gru", "ok"), ("simple_rnn", "ok"), ("rrelu", "unchecked")]
)
def test_what_draws_no_numbers_is_run_again_and_what_drew_some_is_left(type, said):
    assert {one.verdict for one in check_trace(record_operator(type))} == {said}


def test_forty_rules_are_among_them():
    from minipaddle.explain.catalogue import find

    known = [op for name in OPERATORS.split() if (op := find(name)) is not None]
    assert len(RIGHT) + len(known) >= 40


def test_a_file_can_be_checked_as_far_as_operators_made_the_layer(record, tmp_path):
    for name, said in (("square", "ok"), ("numpy", "unchecked")):
        save(recording(record, layer(*RIGHT[name][:2]), RIGHT[name][2]), tmp_path / "run.mpt")
        assert {one.verdict for one in verdicts(load(tmp_path / "run.mpt"))} == {said}


def test_all_elements_of_a_large_tensor_are_compared(record):
    big = np.random.default_rng(0).normal(size=(40, 40)).astype("float32")

    def backward(dy, x, y):
        wrong = np.ones((40, 40), "float32")
        wrong[17, 3] = 1.1
        return 2 * dy * x * paddle.to_tensor(wrong)

    (found,) = verdicts(recording(record, layer(lambda x: x * x, backward), [big]))
    assert (found.verdict, found.spot, found.wrong_elements) == ("wrong", (17, 3), 1)
    (found,) = verdicts(recording(record, layer(lambda x: x * x, lambda dy, x, y: 2 * dy * x), [big]))
    assert (found.verdict, found.covered) == ("ok", 1600)


def test_at_a_kink_nothing_is_sure(record):
    def script():
        x = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
        paddle.abs(x).sum().backward()

    assert "wrong" not in {one.verdict for one in check_trace(record(script))}


def test_a_sum_that_cancels_is_right_to_the_digits_of_its_parts(record):
    """What comes to a bias before batch norm adds up to zero: what is left of it is rounding."""

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
    """Max-pooling over the zeros of a relu: which of them is the largest changes with the direction."""

    def script():
        paddle.seed(0)
        x = F.relu(paddle.randn([2, 4, 8, 8]))
        x.stop_gradient = False
        (F.max_pool2d(x, 2) * paddle.randn([2, 4, 4, 4])).sum().backward()

    found = [one for one in check_trace(record(script)) if one.name == "x"]
    assert found
    assert {one.verdict for one in found} == {"ok"}


def only(trace, title="Planted"):
    (found,) = verdicts(trace, title)
    return found


def test_a_layer_that_writes_its_input_in_place_is_compared_with_what_came_in(record, tmp_path):
    class Planted(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            x.multiply_(x)
            return x

        @staticmethod
        def backward(ctx, dy):
            return dy * 6

    def script():
        x = paddle.to_tensor([3.0, 3.0], stop_gradient=False)
        Planted.apply(x * 1).sum().backward()

    trace = record(script)
    save(trace, tmp_path / "run.mpt")
    assert only(trace).verdict == "ok"
    assert only(load(tmp_path / "run.mpt")).verdict == "ok"


def test_zero_gradients_that_come_in_are_no_proof(record):
    def script(slope):
        x = paddle.to_tensor(A, stop_gradient=False)
        (layer(lambda x: x * x, lambda dy, x, y: slope * dy * x).apply(x) * 0.0).sum().backward()

    found = only(record(lambda: script(2)))
    assert (found.verdict, found.covered) == ("unchecked", 0)
    assert "zero" in found.cause
    assert only(record(lambda: script(3))).verdict == "wrong"


def test_that_the_incoming_gradient_is_forgotten_shows_where_it_is_one(record):
    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        layer(lambda x: x * x, lambda dy, x, y: 2 * x).apply(x).sum().backward()

    found = only(record(script))
    assert (found.verdict, found.mistake, found.wrong_elements) == ("wrong", "seed", 0)


def test_every_call_is_checked_and_the_wrong_one_named(record):
    calls = []

    def backward(dy, x, y):
        calls.append(1)
        return 2 * dy * x * (3 if len(calls) == 2 else 1)

    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        square = layer(lambda x: x * x, backward)
        sum(square.apply(x * (i + 1)) for i in range(3)).sum().backward()

    found = only(record(script))
    assert (found.verdict, found.call, found.calls) == ("wrong", 2, 3)


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


def test_a_value_of_another_call_and_one_that_was_overwritten_are_named(record):
    class Planted(paddle.autograd.PyLayer):
        kept = None

        @staticmethod
        def forward(ctx, x):
            Planted.kept = paddle.exp(x)
            return Planted.kept * 1

        @staticmethod
        def backward(ctx, dy):
            return dy * Planted.kept

    def of_the_class():
        x = paddle.to_tensor(A, stop_gradient=False)
        (Planted.apply(x) + Planted.apply(2 * x)).sum().backward()

    found = only(record(of_the_class))
    assert (found.verdict, found.mistake, found.call) == ("wrong", "call", 2)

    def overwritten():
        x, y = (paddle.to_tensor(array, stop_gradient=False) for array in (A, B))
        z = layer(lambda x, y: x * y, lambda dy, x, y, z: (dy * y, dy * x)).apply(x, y)
        with paddle.no_grad():
            x.add_(paddle.ones_like(x))
        z.sum().backward()

    found = [one for one in verdicts(record(overwritten)) if one.verdict == "wrong"]
    assert [(one.name, one.mistake) for one in found] == [("y", "overwritten")]
    assert "x.add_" in found[0].line.text


def test_what_is_meant_is_no_finding(record):
    class Planted(paddle.autograd.PyLayer):  # minipaddle: not the gradient
        @staticmethod
        def forward(ctx, x):
            return paddle.sign(x)

        @staticmethod
        def backward(ctx, dy):
            return dy

    class Reversed(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, dy):
            return -dy

    assert only(recording(record, Planted, [A])).verdict == "intended"
    trace = recording(record, Reversed, [A])
    assert only(trace, "Reversed").verdict == "wrong"
    (found,) = [
        one for one in check_trace(trace, How(intended=["Reversed"])) if one.event.title == "Reversed"
    ]
    assert found.verdict == "intended"


def test_a_wrong_element_of_many_is_found_where_only_slopes_are_known(record):
    def backward(dy, x, y):
        wrong = np.ones(4000, "f4")
        wrong[1234] = 3
        return dy * paddle.to_tensor(np.cos(x.numpy()) * wrong)

    sine = layer(lambda x: paddle.to_tensor(np.sin(x.numpy())), backward)
    found = only(recording(record, sine, [np.linspace(0, 1, 4000, dtype="f4")]))
    assert (found.verdict, found.spot, found.exact) == ("wrong", (1234,), False)


def test_what_forward_uses_besides_its_arguments_is_told(record):
    def script():
        x, w = (paddle.to_tensor(array, stop_gradient=False) for array in (A, B))
        layer(lambda x: x * w, lambda dy, x, y: dy * w).apply(x).sum().backward()

    found = {one.name: (one.verdict, one.mistake) for one in verdicts(record(script))}
    assert found == {"x": ("ok", ""), "w": ("unchecked", "captured")}


def test_a_mark_above_the_class_or_at_its_docstring_is_read(record):
    # minipaddle: not the gradient
    class Above(paddle.autograd.PyLayer):
        forward = staticmethod(lambda ctx, x: paddle.sign(x))
        backward = staticmethod(lambda ctx, dy: dy)

    class Inside(paddle.autograd.PyLayer):
        """Sign."""  # minipaddle: not the gradient

        forward = staticmethod(lambda ctx, x: paddle.sign(x))
        backward = staticmethod(lambda ctx, dy: dy)

    for cls in (Above, Inside):
        assert only(recording(record, cls, [A]), cls.__name__).verdict == "intended"


def test_code_that_raises_when_it_is_called_again_is_unchecked(record):
    calls = []

    def once(x):
        calls.append(1)
        if len(calls) > 1:
            raise AttributeError("only once")
        return paddle.to_tensor(x.numpy() * 2)

    found = only(recording(record, layer(once, lambda dy, x, y: dy * 2), [A]))
    assert (found.verdict, found.cause) == ("unchecked", "AttributeError: only once")


@pytest.mark.parametrize("conjugates", [True, False])
def test_complex_gradients_are_compared_in_full(record, conjugates):
    def right_or_wrong(dy, z, out):
        return dy * 2 * (paddle.conj(z) if conjugates else z)

    def run():
        z = paddle.to_tensor([1 + 2j, 3 - 1j], stop_gradient=False)
        paddle.real(layer(lambda z: z * z, right_or_wrong).apply(z)).sum().backward()

    rows = check_trace(record(run))
    (found,) = [one for one in rows if one.event.op == "pylayer_grad"]
    assert (found.name, found.elements, found.covered, found.exact) == ("z", 2, 2, True)
    assert (found.verdict, found.mistake) == (("ok", "") if conjugates else ("wrong", "conjugate"))
    assert found.numeric in (2 - 4j, 6 + 2j)


def test_an_operator_is_checked_at_every_call_of_its_line(record):
    def run():
        h = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
        for _ in range(3):
            h = paddle.tanh(h)
        h.sum().backward()

    trace = record(run)
    *_, last = [event for event in trace.events if event.op == "tanh_grad"]
    (found,) = [one for one in check_trace(trace) if one.event.op == "tanh_grad"]
    assert (found.calls, found.checked_calls, found.verdict) == (3, 3, "ok")
    trace.values[last.outputs[0]].kept = np.array([7, 7], "float32")
    (found,) = [one for one in check_trace(trace) if one.event.op == "tanh_grad"]
    assert (found.call, found.verdict) == (3, "unsure")


class _InNumPy(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return paddle.to_tensor(x.numpy() ** 2 / y.numpy())

    @staticmethod
    def backward(ctx, dz):
        x, y = ctx.saved_tensor()
        return dz * 2 * x / y, -dz * x * x / y / y


def test_a_tensor_that_was_passed_twice_is_moved_in_one_place_at_a_time(record):
    def script():
        x = paddle.to_tensor(A, stop_gradient=False)
        _InNumPy.apply(x, x).sum().backward()

    found = verdicts(record(script), "_InNumPy")
    assert [one.verdict for one in found] == ["ok", "ok"]


def test_a_sign_is_not_blamed_where_at_other_numbers_two_inputs_are_mixed_up(record):
    """At x = y, the two gradients of x * x / y - x are 1 and -1: each is the other one with a wrong sign."""
    cls = layer(lambda x, y: x * x / y - x, lambda dz, x, y, z: (-dz * x * x / y / y, dz * (2 * x / y - 1)))
    x = np.full([2], 2.0, "float32")
    found = verdicts(recording(record, cls, [x, x]))
    assert [one.mistake for one in found] == ["swapped", "swapped"]


def _doubled(one):
    return paddle.to_tensor(2 * one.numpy())


class _HalfInNumPy(paddle.autograd.PyLayer):
    """Its gradient lacks a factor 2; where x is the gradient that came in, it may as well lack a term."""

    @staticmethod
    def forward(ctx, x):
        return _doubled(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * 1.0


@pytest.mark.parametrize("equal", [True, False])
def test_of_several_causes_that_fit_the_numbers_all_are_named(record, equal):
    def script():
        x = paddle.to_tensor(V if not equal else np.ones_like(V), stop_gradient=False)
        _HalfInNumPy.apply(x).backward(paddle.ones([2]))

    (found,) = verdicts(record(script), "_HalfInNumPy")
    assert found.verdict == "wrong"
    assert ("the term x is missing" in found.cause) <= ("missing factor" in found.cause)
    assert ("the term x is missing" in found.cause) <= found.cause.startswith("one of these")
