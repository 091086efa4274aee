"""Schedules against sequences of real Paddle 3.3.1: twelve epochs, a jump to epoch 5, one epoch more."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.optimizer import lr as L

MAKE = {
    "StepDecay": lambda: L.StepDecay(0.5, 3, 0.3),
    "MultiStepDecay": lambda: L.MultiStepDecay(0.5, [2, 5], 0.3),
    "ExponentialDecay": lambda: L.ExponentialDecay(0.5, 0.9),
    "NaturalExpDecay": lambda: L.NaturalExpDecay(0.5, 0.1),
    "InverseTimeDecay": lambda: L.InverseTimeDecay(0.5, 0.1),
    "PolynomialDecay": lambda: L.PolynomialDecay(0.5, 4, 0.01, 2.0),
    "PolynomialDecay cycle": lambda: L.PolynomialDecay(0.5, 4, 0.01, 1.0, True),
    "PiecewiseDecay": lambda: L.PiecewiseDecay([3, 6], [0.1, 0.2, 0.3]),
    "LambdaDecay": lambda: L.LambdaDecay(0.5, lambda epoch: 0.95**epoch),
    "NoamDecay": lambda: L.NoamDecay(64, 4, 2.0),
    "LinearWarmup": lambda: L.LinearWarmup(0.5, 4, 0.1, 0.5),
    "LinearWarmup inner": lambda: L.LinearWarmup(L.StepDecay(0.5, 2, 0.5), 3, 0.0, 0.5),
    "CosineAnnealingDecay": lambda: L.CosineAnnealingDecay(0.5, 4, 0.1),
}
PADDLE = {
    "StepDecay": [
        0.5,
        0.5,
        0.5,
        0.15,
        0.15,
        0.15,
        0.045,
        0.045,
        0.045,
        0.013499999999999998,
        0.013499999999999998,
        0.013499999999999998,
        0.15,
        0.045,
    ],
    "MultiStepDecay": [
        0.5,
        0.5,
        0.15,
        0.15,
        0.15,
        0.045,
        0.045,
        0.045,
        0.045,
        0.045,
        0.045,
        0.045,
        0.045,
        0.045,
    ],
    "ExponentialDecay": [
        0.5,
        0.45,
        0.405,
        0.36450000000000005,
        0.32805,
        0.29524500000000004,
        0.2657205,
        0.23914845000000004,
        0.21523360500000005,
        0.19371024450000005,
        0.17433922005000005,
        0.15690529804500003,
        0.29524500000000004,
        0.2657205,
    ],
    "NaturalExpDecay": [
        0.5,
        0.45241870901797976,
        0.4093653765389909,
        0.37040911034085894,
        0.33516002301781966,
        0.3032653298563167,
        0.2744058180470132,
        0.24829265189570474,
        0.22466448205861078,
        0.20328482987029955,
        0.18393972058572117,
        0.16643554184903978,
        0.3032653298563167,
        0.2744058180470132,
    ],
    "InverseTimeDecay": [
        0.5,
        0.45454545454545453,
        0.4166666666666667,
        0.3846153846153846,
        0.35714285714285715,
        0.3333333333333333,
        0.3125,
        0.2941176470588235,
        0.2777777777777778,
        0.2631578947368421,
        0.25,
        0.23809523809523808,
        0.3333333333333333,
        0.3125,
    ],
    "PolynomialDecay": [
        0.5,
        0.285625,
        0.1325,
        0.040625,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
        0.01,
    ],
    "PolynomialDecay cycle": [
        0.5,
        0.3775,
        0.255,
        0.1325,
        0.01,
        0.19375,
        0.1325,
        0.07125,
        0.01,
        0.1325,
        0.09166666666666665,
        0.050833333333333355,
        0.19375,
        0.1325,
    ],
    "PiecewiseDecay": [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.2, 0.3],
    "LambdaDecay": [
        0.5,
        0.475,
        0.45125,
        0.42868749999999994,
        0.40725312499999994,
        0.3868904687499999,
        0.3675459453124999,
        0.34916864804687486,
        0.3317102156445311,
        0.31512470486230454,
        0.29936846961918934,
        0.28440004613822983,
        0.3868904687499999,
        0.3675459453124999,
    ],
    "NoamDecay": [
        0.0,
        0.03125,
        0.0625,
        0.09375,
        0.125,
        0.11180339887498948,
        0.10206207261596575,
        0.09449111825230681,
        0.08838834764831845,
        0.08333333333333333,
        0.07905694150420949,
        0.07537783614444091,
        0.11180339887498948,
        0.10206207261596575,
    ],
    "LinearWarmup": [0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    "LinearWarmup inner": [
        0.0,
        0.16666666666666666,
        0.3333333333333333,
        0.5,
        0.5,
        0.25,
        0.25,
        0.125,
        0.125,
        0.0625,
        0.0625,
        0.03125,
        0.25,
        0.25,
    ],
    "CosineAnnealingDecay": [
        0.5,
        0.4414213562373095,
        0.30000000000000004,
        0.15857864376269054,
        0.1,
        0.15857864376269049,
        0.30000000000000004,
        0.4414213562373096,
        0.5000000000000001,
        0.4414213562373096,
        0.30000000000000016,
        0.1585786437626907,
        0.15857864376269049,
        0.30000000000000004,
    ],
}
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
