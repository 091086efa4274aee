"""Functions with Python control flow over Tensors: the results as a Program are those of eager execution."""

import builtins
import re

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.jit import to_static
from minipaddle.paddle.static import InputSpec
from tests.support.traced import both, leaf, same

FACTOR = 3


def sign(x):
    """What sign does."""
    if x.mean() > 0:
        y = x * 2
    else:
        y = -x
    return y


def test_the_source_can_be_shown():
    code = to_static(sign).code
    assert "_jst.IfElse(" in code
    assert "nonlocal y" in code
    assert '"""What sign does."""' in code
    assert compile(code, "shown", "exec")


def test_one_program_takes_both_branches():
    traced = to_static(sign)
    assert traced(leaf(1.0)).item() == 2
    assert traced(leaf(-1.0)).item() == 1
    assert len(traced.programs) == 1
    assert [op.type for op in traced.main_program.global_block().ops].count("conditional_block") == 2


def test_a_size_that_only_a_run_knows():
    @to_static(input_spec=[InputSpec([None, 2], "float64")])
    def total(x):
        found, place = paddle.zeros([2], "float64"), 0
        while place < x.shape[0]:
            found = found + x[place]
            place += 1
        return found * len(x)

    for rows in (1, 3):
        x = np.arange(2.0 * rows).reshape(rows, 2)
        wanted = x.sum(0) * rows
        np.testing.assert_allclose(total(paddle.to_tensor(x)).numpy(), wanted)
    assert len(total.programs) == 1


class Base(nn.Layer):
    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return x


class Net(Base):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.__hidden = 0.5
        self.seen = None

    def forward(self, x, *, bias=1.0):
        x = super().forward(self.linear(x))
        if x.sum() > 0:
            self.seen = x * self.__hidden
        else:
            self.seen = x - FACTOR
        return self.__scaled(self.seen) + bias

    def __scaled(self, x):
        return x * 2 if x.max() > 1 else x * 3


def trained(net):
    for place, parameter in enumerate(net.parameters()):
        parameter.set_value(np.linspace(-1, 1, parameter.size, dtype="f4").reshape(parameter.shape) + place)
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    losses = []
    for step in range(6):
        loss = (net(paddle.to_tensor(np.array([[step - 3.0, 1.0]], "f4"))) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    return losses


def test_a_layer_with_branches_trains_as_in_eager_execution():
    np.testing.assert_allclose(trained(to_static(Net())), trained(Net()), rtol=1e-6)


def test_layers_within_layers_of_ours_are_rewritten_too():
    np.testing.assert_allclose(
        trained(to_static(nn.Sequential(nn.Linear(2, 2), Base()))),
        trained(nn.Sequential(nn.Linear(2, 2), Base())),
        rtol=1e-6,
    )


def test_it_is_saved_with_both_branches(tmp_path):
    net = Net()
    paddle.jit.save(net, str(tmp_path / "net"), [InputSpec([None, 2], "float32")])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for x in ([[1.0, 2.0]], [[-5.0, -2.0]]):
        np.testing.assert_allclose(
            loaded(paddle.to_tensor(x)).numpy(), net(paddle.to_tensor(x)).numpy(), rtol=1e-6
        )


def test_closures_and_recursion_over_python_values():
    def power(x, n):
        return x if n == 0 else x * power(x, n - 1)

    def outer(x):
        def inner(y):
            nonlocal x
            if y.sum() > 0:
                x = x + 1
            return x

        return inner(x) + power(x, 3)

    same(outer, [1.0, 2.0])
    same(outer, [-1.0, -2.0])


def test_what_is_written_in_place():
    def function(x, y):
        z = x * 2
        same_one = z
        for place in range(2):
            z[place] = y[place] * 10
            z.add_(y)
        return same_one * z

    same(function, [1.0, 2.0], [-1.0, 3.0])


def test_a_forward_that_is_decorated_in_its_class_may_branch():
    """The class's attribute is no function then: it was traced unchanged."""

    class Branching(paddle.nn.Layer):
        @to_static
        def forward(self, x):
            if x.sum() > 0:
                x = x * 2
            return x

    net = Branching()
    assert [net(paddle.to_tensor([value])).item() for value in (1.0, -1.0, 1.0)] == [2, -1, 2]
    outer = to_static(paddle.nn.Sequential(Branching(), Branching()))
    assert [outer(paddle.to_tensor([value])).item() for value in (1.0, -1.0)] == [4, -1]


def test_what_python_knows_to_be_false_ends_a_chain_behind_a_tensor():
    """The next value took its place: ``x and False and y`` was `y`."""

    def function(x):
        chosen = x.sum() > 0 and len(x.shape) > 1 and x.sum() < 5
        return x * 2 if chosen else x * 3

    same(function, [1.0, 2.0])


def test_prints_when_it_runs(capsys):
    said = builtins.print

    @to_static
    def function(x):
        if x.sum() > 0:
            said("the sum", x.sum())
        return x

    for value in (1.0, -1.0, 2.0):
        function(leaf(value))
    told = capsys.readouterr().out
    assert told.count("message: the sum") == 2
    assert re.findall(r"data: \[(.*)\]", told) == ["1", "2"]


def test_asserts_when_it_runs():
    @to_static
    def function(x):
        assert x.sum() > 0, "must be positive"
        return x

    function(leaf(1.0))
    with pytest.raises(ValueError, match="must be positive"):
        function(leaf(-1.0))


def test_operators_know_the_users_lines():
    block = to_static(sign).get_concrete_program(leaf(1.0)).main_program.blocks[1]
    assert block.ops[0].where.text == "y = x * 2"
    assert block.ops[0].where.function == "sign"


def test_a_loop_variable_that_every_turn_makes_anew():
    def function(x, y):
        return sum(
            paddle.static.nn.while_loop(lambda x, y: x.sum() < 50, lambda x, y: (x + x, -x), [x * 1, y * 1])
        )

    (eager, first, *_), (traced, one, other) = both(function, [3.0, 1.0], [1.0, 2.0])
    np.testing.assert_array_equal(traced, eager)
    np.testing.assert_array_equal(one, first)
    np.testing.assert_array_equal(other, 0)  # the loop's result there does not matter
