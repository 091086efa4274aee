"""`nan` names the operator that gave birth, in many ways to go wrong."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.checks.nan import hunt, hunt_lines, hunt_object
from minipaddle.tools.debug import Session


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


class Bad(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 2 / (x - x) * 0


def log_of_zero():
    loss = paddle.log(leaf(1.0, 0.0)).sum()
    loss.backward()


def zero_by_zero():
    x = leaf(1.0, 0.0)
    (x / x).sum().backward()


def root_at_zero():
    x = leaf(4.0, 0.0)
    y = paddle.sqrt(x)
    y.sum().backward()


def exp_overflow():
    paddle.exp(leaf(1.0, 1000.0)).sum().backward()


def inf_minus_inf():
    big = paddle.exp(leaf(1000.0))
    (big - big).sum().backward()


def masked_by_where():
    x = leaf(4.0, 0.0)
    y = paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))
    y.sum().backward()


def in_the_body_of_a_layer():
    Bad.apply(leaf(1.0)).sum().backward()


def zero_times_inf():
    x = leaf(0.0)
    (x * paddle.to_tensor([float("inf")])).sum().backward()


def norm_at_zero():
    x = leaf(0.0, 0.0)
    paddle.sqrt((x * x).sum()).backward()


def in_an_update():
    w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1e30))
    optimizer = paddle.optimizer.SGD(1e20, parameters=[w])
    (w * w).sum().backward()
    optimizer.step()


def log_softmax_by_hand():
    x = leaf(1000.0, 0.0)
    e = paddle.exp(x)
    paddle.log(e / e.sum()).sum().backward()


def power_of_a_negative():
    (leaf(-1.0) ** 0.5).sum().backward()


CASES = {
    log_of_zero: "log",
    zero_by_zero: "divide",
    root_at_zero: "sqrt_grad",
    exp_overflow: "exp",
    inf_minus_inf: "exp",
    masked_by_where: "sqrt_grad",
    in_the_body_of_a_layer: "divide",
    zero_times_inf: "multiply",
    norm_at_zero: "sqrt_grad",
    in_an_update: "multiply",
    log_softmax_by_hand: "exp",
    power_of_a_negative: "pow",
}


@pytest.mark.parametrize("script", CASES, ids=lambda script: script.__name__)
def test_the_birth_is_named(record, script):
    from minipaddle.tools.words.events import title

    with np.errstate(all="ignore"):
        found = hunt(record(script))
    births = [title(one.event) for one in found.births if one.state == "born"]
    assert births[0] == CASES[script]
    assert found.is_finding


def test_masking_is_seen_and_the_trap_explained(record):
    trace = record(masked_by_where)  # forward is finite: nothing was masked, and yet it is the trap
    assert "double-where" in "\n".join(hunt_lines(hunt(trace), trace))
    trace = record(zero_by_zero)
    assert "double-where" not in "\n".join(hunt_lines(hunt(trace), trace))

    def script():
        x = leaf(1.0, 0.0)
        y = paddle.where(x > 0, 1 / x, paddle.zeros_like(x))
        y.sum().backward()

    trace = record(script)
    found = hunt(trace)
    assert "masked" in [one.state for one in found.sightings]
    assert "double-where" in "\n".join(hunt_lines(found, trace))
    assert found.reaches == ["x.grad"]


def test_an_intended_inf_is_no_finding(record):
    def script():
        scores = paddle.to_tensor([1.0, 2.0]) / paddle.to_tensor([1.0, 0.0])
        paddle.nn.functional.relu(scores)

    trace = record(script)
    assert not hunt(trace).is_finding  # it arrives nowhere
    assert hunt(trace, infinite_too=True).is_finding
    assert not hunt(trace, infinite_too=True, ignored="divide").is_finding


def test_clean_runs_are_clean(record):
    trace = record(lambda: paddle.exp(leaf(1.0)).sum().backward())
    stops = len(Session(trace).stops)
    assert hunt_lines(hunt(trace), trace) == [f"no NaN and no Inf in {stops} events"]
    assert hunt_object(hunt(trace), trace) == {"nan": [], "reaches": [], "finding": False}


def test_what_the_user_brought_is_told(record):
    def script():
        data = paddle.to_tensor([1.0, float("nan")])
        (data * leaf(1.0, 2.0)).sum().backward()

    found = hunt(record(script))
    assert [one.state for one in found.sightings][:2] == ["given", "spread"]


def test_nan_and_inf_are_counted_apart_and_the_place_of_the_birth_is_named(record):
    def product():
        zeros = paddle.to_tensor([-0.0, -1.0, 0.0])
        paddle.multiply(zeros, paddle.log(leaf(1.0, 0.0, 0.0)))

    trace = record(product)
    found = hunt(trace)
    born = found.births[-1]
    assert (born.what, born.spot) == ("NaN", (2,))
    (line,) = (line for line in hunt_lines(found, trace) if "multiply" in line)
    assert "1 NaN, 1 Inf of 3" in line
    assert "[2] = 0" in line
    assert line.endswith("->  nan")
    row = hunt_object(found, trace)["nan"][-1]
    assert (row["nans"], row["infs"], row["at"]) == (1, 1, [2])


@pytest.mark.parametrize("dtype", ["float16", "complex64"])
def test_what_is_masked_is_told_of_every_kind_of_number(record, dtype):
    def script():
        x = paddle.to_tensor([0.0, 1.0]).astype(dtype)
        paddle.where(paddle.to_tensor([False, True]), x / x, x)

    assert [one.state for one in hunt(record(script)).sightings] == ["born", "masked"]


def test_a_slice_and_a_question_heal_nothing(record):
    def script():
        x = paddle.to_tensor([1.0, 0.0])
        y = paddle.log(x)
        bad = paddle.isinf(y)
        large = y > 0
        first = y[:1]
        return bad, large, first, paddle.shape(y)

    states = [one.state for one in hunt(record(script), infinite_too=True).sightings]
    assert states == ["born"]


@pytest.mark.parametrize(
    ("script", "note"),
    [
        (
            lambda: paddle.to_tensor([300.0], dtype="float16") * paddle.to_tensor([300.0], dtype="float16"),
            "= 300 -> inf: that is beyond 65504, the largest float16",
        ),
        (lambda: paddle.exp(paddle.to_tensor([1.0, 100.0])), "that is beyond 3.403e+38, the largest float32"),
        (lambda: paddle.mean(paddle.to_tensor([3e38, 3e38])), "from 3e+38 to 3e+38"),
        (lambda: paddle.to_tensor([[3e38, 3e38]]) @ paddle.to_tensor([[1.0], [1.0]]), "from 3e+38 to 3e+38"),
    ],
    ids=["float16", "exp", "mean", "matmul"],
)
def test_a_note_has_numbers_and_the_limit(record, script, note):
    with np.errstate(all="ignore"):
        (born,) = [one for one in hunt(record(script), infinite_too=True).sightings if one.state == "born"]
    assert note in " ".join(born.note.split())
