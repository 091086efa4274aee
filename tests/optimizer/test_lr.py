"""Schedules against sequences of real Paddle 3.3.1: twelve epochs, a jump to epoch 5, one epoch more."""

from pathlib import Path

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.optimizer import lr as L

MAKE = {
    "StepDecay": lambda: L.StepDecay(0.5, 3, 0.3),
    "MultiStepDecay": lambda: L.MultiStepDecay(0.5, [2, 5], 0.3),
    "ExponentialDecay": lambda: L.ExponentialDecay(0.5, 0.9),
    "PolynomialDecay": lambda: L.PolynomialDecay(0.5, 4, 0.01, 2.0),
    "PolynomialDecay cycle": lambda: L.PolynomialDecay(0.5, 4, 0.01, 1.0, True),
    "PiecewiseDecay": lambda: L.PiecewiseDecay([3, 6], [0.1, 0.2, 0.3]),
    "LambdaDecay": lambda: L.LambdaDecay(0.5, lambda epoch: 0.95**epoch),
    "NoamDecay": lambda: L.NoamDecay(64, 4, 2.0),
    "LinearWarmup": lambda: L.LinearWarmup(0.5, 4, 0.1, 0.5),
    "LinearWarmup inner": lambda: L.LinearWarmup(L.StepDecay(0.5, 2, 0.5), 3, 0.0, 0.5),
    "CosineAnnealingDecay": lambda: L.CosineAnnealingDecay(0.5, 4, 0.1),
}
ROWS = (Path(__file__).parent / "schedules.tsv").read_text(encoding="utf-8").splitlines()[1:]
PADDLE = {name: [float(rate) for rate in rates.split()] for name, rates in (row.split("\t") for row in ROWS)}
MEASURES = [1.0, 0.9, 0.95, 0.96, 0.97, 0.5, 0.5, 0.5, 0.5, 0.5, 0.49999, 0.6]
PLATEAUS = {
    "min": (
        lambda: L.ReduceOnPlateau(0.5, factor=0.5, patience=1, cooldown=1),
        [0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.0625, 0.0625],
    ),
    "max": (
        lambda: L.ReduceOnPlateau(
            0.5, mode="max", factor=0.5, patience=1, threshold=0.1, threshold_mode="abs", min_lr=0.1
        ),
        [0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
    ),
}


@pytest.mark.parametrize("name", MAKE)
def test_same_sequence_as_paddle(name):
    schedule = MAKE[name]()
    found = [schedule()]
    for epoch in [*[None] * 11, 5, None]:
        schedule.step(epoch)
        found.append(schedule())
    np.testing.assert_allclose(found, PADDLE[name], rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", PLATEAUS)
def test_plateau_same_as_paddle(name):
    make, expected = PLATEAUS[name]
    schedule, found = make(), []
    for measure in MEASURES:
        schedule.step(measure)
        found.append(schedule())
    assert found == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("measure", [0.5, np.float32(0.5), np.array([0.5]), paddle.to_tensor([0.5])])
def test_plateau_takes_every_kind_of_number(measure):
    schedule = L.ReduceOnPlateau(0.5)
    schedule.step(measure)
    assert schedule.state_dict()["best"] == 0.5


@pytest.mark.parametrize("name", MAKE)
def test_a_saved_state_goes_on(name):
    first, second = MAKE[name](), MAKE[name]()
    for _ in range(4):
        first.step()
    second.set_state_dict(first.state_dict())
    for _ in range(5):
        first.step()
        second.step()
        assert second() == first()


def test_an_incomplete_state_is_refused():
    with pytest.raises(RuntimeError, match="last_lr"):
        L.StepDecay(0.5, 3).set_state_dict({"last_epoch": 1})


def test_verbose_tells_each_step(capsys):
    L.StepDecay(0.5, 1, 0.5, verbose=True).step()
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 0: StepDecay set learning rate to 0.5.",
        "Epoch 1: StepDecay set learning rate to 0.25.",
    ]


def test_a_schedule_of_ones_own():
    class Halves(L.LRScheduler):
        def get_lr(self):
            return self.base_lr / 2**self.last_epoch

    schedule = Halves(1.0)
    schedule.step()
    assert schedule() == 0.5


ERRORS = {
    "negative": (lambda: L.ExponentialDecay(-0.1, 0.9), ValueError, "Invalid learning rate"),
    "no number": (lambda: L.ExponentialDecay("x", 0.9), TypeError, "must be float"),
    "gamma": (lambda: L.StepDecay(0.1, 2, 1.0), ValueError, "gamma"),
    "exp gamma": (lambda: L.ExponentialDecay(0.1, 1.0), AssertionError, "gamma"),
    "step_size": (lambda: L.StepDecay(0.1, 2.5), TypeError, "step_size"),
    "milestones": (lambda: L.MultiStepDecay(0.1, [3, 2]), ValueError, "incremented"),
    "milestones kind": (lambda: L.MultiStepDecay(0.1, 3), TypeError, "milestones"),
    "lambda": (lambda: L.LambdaDecay(0.1, 3), TypeError, "lr_lambda"),
    "noam": (lambda: L.NoamDecay(0, 3), ValueError, "d_model"),
    "boundaries": (lambda: L.PiecewiseDecay([], [1.0]), ValueError, "empty"),
    "values": (lambda: L.PiecewiseDecay([1], [1.0]), ValueError, "one more element"),
    "warmup": (lambda: L.LinearWarmup(0.1, 0, 0.0, 0.1), AssertionError, "warmup_steps"),
    "warmup ends": (lambda: L.LinearWarmup(0.1, 2, 0.2, 0.1), AssertionError, "greater"),
    "warmup rate": (lambda: L.LinearWarmup("x", 2, 0.0, 0.1), TypeError, "learning_rate"),
    "T_max": (lambda: L.CosineAnnealingDecay(0.1, 0), AssertionError, "T_max"),
    "T_max kind": (lambda: L.CosineAnnealingDecay(0.1, 2.0), TypeError, "T_max"),
    "mode": (lambda: L.ReduceOnPlateau(0.1, mode="mid"), ValueError, "unknown"),
    "threshold mode": (lambda: L.ReduceOnPlateau(0.1, threshold_mode="mid"), ValueError, "unknown"),
    "factor": (lambda: L.ReduceOnPlateau(0.1, factor=1.0), ValueError, "< 1.0"),
    "measures": (lambda: L.ReduceOnPlateau(0.1).step(np.ones(2)), AssertionError, "must be 1"),
    "measure kind": (lambda: L.ReduceOnPlateau(0.1).step("x"), TypeError, "metrics must be"),
    "no get_lr": (lambda: L.LRScheduler(0.1), NotImplementedError, "get_lr"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    run, kind, words = ERRORS[name]
    with pytest.raises(kind, match=words):
        run()
