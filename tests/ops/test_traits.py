"""The traits of operators are true of their kernels and gradients."""

from typing import get_args

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.operator.operator import operators
from minipaddle.engine.operator.table import TABLE
from minipaddle.ops.definition.example import example_of
from minipaddle.ops.definition.traits import Trait, has

CALLED = {op.type: op.public for op in operators()}
FAR = np.array([-1e4, -200.0, 200.0, 1e4], "float64")


def all_with(trait: str) -> list[str]:
    return [type for type in CALLED if has(trait, type)]


def slopes(type: str, numbers: np.ndarray) -> np.ndarray:
    """Return the gradient of each number, each computed alone: so nothing cancels."""
    found = []
    for number in numbers:
        x = paddle.to_tensor([number], stop_gradient=False)
        CALLED[type](x).sum().backward()
        found.append(float(x.grad))
    return np.array(found)


@pytest.mark.parametrize("type", all_with("flat"))
def test_a_flat_operator_lets_nothing_through_anywhere(type):
    assert not slopes(type, np.linspace(-3, 3, 25)).any()


@pytest.mark.parametrize("type", all_with("no slope"))
def test_what_needs_no_rule_gives_the_same_for_near_numbers(type):
    op = TABLE[type]
    inputs, attrs = example_of(op, np.random.default_rng(0))
    near = [one + 1e-7 if one.dtype.kind == "f" else one for one in inputs]
    assert not op.rules
    np.testing.assert_array_equal(op.run(*inputs, **attrs), op.run(*near, **attrs))


@pytest.mark.parametrize("type", all_with("cuts off"))
def test_what_cuts_off_has_a_slope_here_and_none_there(type):
    attrs = {"min": 0.0, "max": 1.0} if type == "clip" else {}
    x = paddle.to_tensor(np.linspace(-9, 9, 37), stop_gradient=False)
    CALLED[type](x, **attrs).sum().backward()
    assert 0 < np.count_nonzero(x.grad.numpy()) < 37


@pytest.mark.parametrize("type", [one for one in all_with("levels out") if "softmax" not in one])
def test_what_levels_out_is_flat_far_away_on_one_side_at_least(type):
    far = slopes(type, FAR)
    assert not far[:2].any() or not far[2:].any()


@pytest.mark.parametrize("type", ["softmax", "log_softmax"])
def test_a_softmax_levels_out_where_one_score_is_far_ahead(type):
    x = paddle.to_tensor([900.0, 0.0], "float64", stop_gradient=False)
    CALLED[type](x)[0].backward()
    assert x.grad.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("type", [one for one in all_with("normalises") if one.endswith("softmax")])
def test_a_softmax_does_not_change_with_a_number_added_to_all(type):
    x = np.array([[0.5, -1.0, 2.0], [0.5, 0.5, 0.5]])
    first, other = (CALLED[type](paddle.to_tensor(one)).numpy() for one in (x, x + 3.0))
    assert np.allclose(first, other)


@pytest.mark.parametrize(
    "layer",
    [
        paddle.nn.functional.layer_norm,
        paddle.nn.functional.instance_norm,
        lambda x, **_: paddle.nn.functional.group_norm(x, 2),
        lambda x, **_: paddle.nn.functional.batch_norm(x, *[paddle.ones([4])] * 4, training=True),
        lambda x, **_: paddle.nn.functional.cross_entropy(x, paddle.zeros([2, 1, 5], "int64"), axis=1),
    ],
    ids=["layer_norm", "instance_norm", "group_norm", "batch_norm", "cross_entropy"],
)
def test_a_normalisation_does_not_change_with_a_number_added_to_all(layer):
    x = np.random.default_rng(0).standard_normal((2, 4, 5)).astype("float32")
    more = {"normalized_shape": 5} if layer is paddle.nn.functional.layer_norm else {}
    first, other = (layer(paddle.to_tensor(one), **more).numpy() for one in (x, x + 2.0))
    assert np.allclose(first, other, atol=1e-5)


@pytest.mark.parametrize("type", all_with("same numbers"))
def test_the_numbers_stay_the_same(type):
    x = paddle.to_tensor(np.arange(6.0).reshape(1, 2, 3))
    attrs = {"cast": ("float64",), "reshape2": ([6],), "transpose2": ([2, 0, 1],), "unsqueeze2": ((0,),)}
    told = attrs.get(type, ((0,),) if type == "squeeze2" else (0, 2) if type.startswith("flatten") else ())
    assert sorted(CALLED[type](x, *told).numpy().ravel().tolist()) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("type", all_with("elementwise"))
def test_an_elementwise_operator_asks_nothing_of_other_elements(type):
    x, y = np.array([0.5, 2.0, 0.5, 3.0]), np.array([2.0, 2.0, 0.5, 1.5])

    def call(*arrays):
        given = [paddle.to_tensor(array) for array in arrays[: len(TABLE[type].input_names)]]
        made = CALLED[type](*given)
        return (made[0] if isinstance(made, (list, tuple)) else made).numpy()

    whole = call(x, y)
    assert [whole[place] for place in range(4)] == [call(x[p : p + 1], y[p : p + 1])[0] for p in range(4)]


@pytest.mark.parametrize("type", all_with("gives probabilities"))
def test_probabilities_lie_between_0_and_1(type):
    made = CALLED[type](paddle.to_tensor([-30.0, 0.0, 0.0, 30.0])).numpy()
    assert made.min() >= 0
    assert 0.4 < made.max() <= 1


def test_every_trait_has_operators():
    assert {trait for trait in get_args(Trait) if not all_with(trait)} <= {"ours"}  # which a reader may add
