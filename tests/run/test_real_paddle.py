"""`diff --against paddle`: the same start, every gradient, and what counts as a difference.

What the real Paddle answered is recorded in real_paddle/answers.json (real_paddle/record.py).
"""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from minipaddle.tools.run.real_paddle import compare_arrays, draws_numbers
from minipaddle.tools.run.real_paddle.driver import Notes, watch_optimizers

HERE = Path(__file__).parent / "real_paddle"
DRIVER = Path(__file__).parents[2] / "minipaddle" / "tools" / "run" / "real_paddle" / "driver.py"
ANSWERS = json.loads((HERE / "answers.json").read_text())


@pytest.mark.parametrize("name", ANSWERS)
def test_from_the_start_of_paddle_its_gradients_follow(run_python, tmp_path, name):
    answer = ANSWERS[name]
    np.savez(tmp_path / "start.npz", **{k: np.array(v, "float32") for k, v in answer["start"].items()})
    script = HERE / f"{name.split()[0]}.py"
    done = run_python(DRIVER, "minipaddle", tmp_path / "start.npz", tmp_path / "ours.npz", script)
    assert done.returncode == 0, done.stderr
    theirs = {k: np.array(v) for k, v in answer["arrays"].items()}
    found = compare_arrays(dict(np.load(tmp_path / "ours.npz")), theirs)
    assert {one.name: one.gap for one in found if not one.gap <= 1e-4} == {}
    assert sum(one.name.endswith(".grad") for one in found) == (8 if "static" in name else 144)


def test_an_optimizer_class_that_does_not_call_its_base_is_seen_once_like_every_other(tmp_path):
    class Optimizer:
        def __init__(self, learning_rate=0.1, parameters=None):
            self.kept = list(parameters)

    class Adam(Optimizer):
        def __init__(self, learning_rate=0.1, parameters=None):
            super().__init__(learning_rate, parameters)

    class AdamW(Optimizer):  # as in Paddle
        def __init__(self, learning_rate=0.1, beta1=0.9, parameters=None):
            self.kept = list(parameters)

    fake = SimpleNamespace(Optimizer=Optimizer, Adam=Adam, AdamW=AdamW)
    notes = Notes(str(tmp_path / "start.npz"), "")
    watch_optimizers(SimpleNamespace(optimizer=fake, in_dynamic_mode=lambda: True), notes)
    tensors = [
        SimpleNamespace(numpy=lambda: np.ones(2), set_value=lambda value: None, shape=[2]) for _ in range(4)
    ]
    Adam(0.1, tensors[:1])
    AdamW(parameters=iter(tensors[1:3]))
    AdamW(parameters=[{"params": tensors[3:]}, {"params": tensors[:2]}])
    assert [id(one) for one in notes.parameters] == [id(one) for one in tensors]
    assert len(notes.first) == 4


def gaps(ours, theirs):
    return [one.gap for one in compare_arrays(ours, theirs)]


def test_what_cancels_is_compared_with_the_rounding_of_the_largest_gradient():
    large = {"weight.grad": np.array([1.0, -2.0], "float32")}
    noise = [large | {"bias.grad": np.array([value], "float32")} for value in (3e-8, -4e-8)]
    assert gaps(*noise) == [0, 0]
    assert gaps(large | {"bias.grad": np.array([1e-5])}, large | {"bias.grad": np.array([2e-5])}) == [0, 0.5]
    loss = [large | {"fetched": np.array([value])} for value in (3e-8, 4e-8)]
    assert gaps(*loss)[1] > 0.2, "values have no such floor"


def test_infinities_and_nan_are_compared_by_kind():
    of = [{"g": np.array([value, 1.0])} for value in (np.inf, -np.inf, np.nan)]
    assert [gaps(one, other)[0] for one in of for other in of] == [
        0.0 if one is other else np.inf for one in of for other in of
    ]


def test_a_script_that_draws_numbers_is_told_apart(tmp_path):
    (tmp_path / "a.py").write_text("paddle.nn.Dropout(0.5)")
    (tmp_path / "b.py").write_text("paddle.ones([2])")
    assert draws_numbers(str(tmp_path / "a.py"))
    assert not draws_numbers(str(tmp_path / "b.py"))
