"""What a recording holds of values: each as it was then."""

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.recordings import kinds, leaf, named, recorded


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.add_(paddle.ones([2])),
        lambda x: x.__setitem__(0, 9.0),
        lambda x: x.set_value(np.array([7.0, 7.0], "float32")),
        lambda x: x.zero_(),
    ],
    ids=["add_", "setitem", "set_value", "zero_"],
)
def test_a_write_does_not_reach_what_was_recorded(write):
    def script():
        x = paddle.to_tensor([1.0, 2.0])
        y = x * 3
        write(x)
        z = x + y
        assert z.shape == [2]

    trace = recorded(script)
    assert named(trace, "x")[0] == [1.0, 2.0]
    assert named(trace, "y") == [[3.0, 6.0]]


def test_an_optimizer_makes_a_new_value_of_the_parameter():
    def script():
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        optimizer = paddle.optimizer.SGD(0.5, parameters=[w])
        for _ in range(2):
            loss = (w * w).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()

    trace = recorded(script)
    assert kinds(trace).count("update") == 2
    weights = [value for value in trace.values if value.name == "w"]
    assert [value.array.tolist() for value in weights] == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    assert all(value.kind == "parameter" for value in weights)


def test_a_parameter_keeps_its_name_through_many_updates():
    def script():
        net = paddle.nn.Linear(2, 1)
        optimizer = paddle.optimizer.Adam(parameters=net.parameters())
        for _ in range(4):
            net(paddle.ones([1, 2])).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

    trace = recorded(script)
    names = {value.name for value in trace.values if value.kind == "parameter"}
    assert len(names) == 2
    assert all(name.rpartition(".")[2] in ("weight", "bias") for name in names)


def test_two_passes_add_up_in_grad():
    def script():
        x = leaf(1.0, 2.0)
        for _ in range(2):
            (x * 3).sum().backward()

    trace = recorded(script)
    assert trace.passes == 2
    assert named(trace, "x.grad") == [[3.0, 3.0], [6.0, 6.0]]
    assert [event.note for event in trace.events if event.kind == "store"] == [
        "first write",
        "added to what was there",
    ]


def test_a_value_used_twice_is_accumulated_in_an_event_of_its_own():
    def script():
        x = leaf(2.0)
        y = x * 3 + paddle.square(x)
        y.backward()

    trace = recorded(script)
    (event,) = [event for event in trace.events if event.kind == "accumulate"]
    before, newcomer = [trace.values[id_].array.item() for id_ in event.inputs]
    assert {before, newcomer} == {3.0, 4.0}
    assert trace.values[event.outputs[0]].array.item() == before + newcomer
