"""State dicts: collected, copied back, with values that do not fit."""

import numpy as np
import pytest

from minipaddle.paddle import nn


def build():
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3), nn.Linear(3, 1))


def test_order_and_identity():
    net = build()
    state = net.state_dict()
    assert list(state) == [
        *("0.weight", "0.bias", "1.weight", "1.bias", "1._mean", "1._variance"),
        *("2.weight", "2.bias"),
    ]
    assert state["0.weight"] is net[0].weight
    assert list(net.state_dict(include_sublayers=False)) == []
    assert list(net[0].state_dict(structured_name_prefix="fc.")) == ["fc.weight", "fc.bias"]


def test_round_trip():
    one, other = build(), build()
    missing, unexpected = other.set_state_dict(one.state_dict())
    assert (missing, unexpected) == ([], [])
    for a, b in zip(one.state_dict().values(), other.state_dict().values()):
        assert a is not b
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    assert not other[0].weight.stop_gradient


def test_later_changes_do_not_leak():
    one, other = build(), build()
    other.load_dict(one.state_dict())
    before = other[0].weight.numpy()
    one[0].weight.set_value(before + 1)
    np.testing.assert_array_equal(other[0].weight.numpy(), before)


def test_arrays_will_do_and_take_the_type_of_the_parameter():
    net = nn.Linear(1, 2)
    net.set_dict({"weight": np.array([[1.0, 2.0]]), "bias": [3, 4]})
    assert net.weight.tolist() == [[1, 2]]
    assert net.bias.numpy().dtype == np.float32


def test_names_that_are_missing_or_too_many():
    missing, unexpected = nn.Linear(1, 1).set_state_dict({"weight": [[1.0]], "other": 3})
    assert (missing, unexpected) == (["bias"], ["other"])


def test_a_wrong_shape_is_skipped_with_a_warning():
    net = nn.Linear(1, 2)
    before = net.weight.tolist()
    with pytest.warns(UserWarning, match=r"Skip loading for weight.*\[3, 2\].*\[1, 2\]"):
        missing, unexpected = net.set_state_dict({"weight": np.zeros((3, 2)), "bias": np.zeros(2)})
    assert (missing, unexpected) == (["weight"], ["weight"])
    assert net.weight.tolist() == before


def test_by_parameter_name():
    one = nn.Linear(1, 1)
    state = {tensor.name: tensor.numpy() + 1 for tensor in one.state_dict().values()}
    before = one.weight.numpy()
    assert one.set_state_dict(state, use_structured_name=False) == ([], [])
    np.testing.assert_array_equal(one.weight.numpy(), before + 1)
