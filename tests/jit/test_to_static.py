"""to_static: the same values, gradients and training as in eager execution."""

import numpy as np
import pytest

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from minipaddle.paddle import nn
from minipaddle.paddle.jit import to_static
from minipaddle.paddle.static import InputSpec


def leaf(values):
    return paddle.to_tensor(np.array(values), stop_gradient=False)


def curve(x, power=2):
    return paddle.exp(x) * x**power + F.relu(x).mean()


def derivatives(function, order):
    x = leaf([-1.0, 0.5, 2.0])
    found = [function(x)]
    for _ in range(order):
        found += paddle.grad(found[-1], x, create_graph=True)
    return [one.numpy() for one in found]


def test_values_and_gradients_of_any_order():
    for one, other in zip(derivatives(curve, 3), derivatives(to_static(curve), 3), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_backward_adds_to_grad():
    x = leaf([1.0, 2.0])
    square = to_static(lambda x: x * x)
    square(x).sum().backward()
    square(x).sum().backward()
    assert x.grad.numpy().tolist() == [4, 8]


def test_one_program_for_each_kind_of_arguments():
    function = to_static(curve)
    function(leaf([1.0]))
    function(leaf([2.0]))
    assert len(function.programs) == 1
    function(leaf([1.0, 2.0]))
    function(leaf([1.0]), power=3)
    function(paddle.to_tensor([1.0]))
    assert len(function.programs) == 4


def test_a_declared_size_that_changes_needs_one_program():
    function = to_static(lambda x: (x * 2).sum(axis=1), input_spec=[InputSpec([None, 3], "float64", "rows")])
    for rows in (1, 4):
        assert function(leaf(np.ones((rows, 3)))).shape == [rows]
    assert len(function.programs) == 1
    assert function.main_program.global_block().var("rows").shape == (-1, 3)


def test_an_argument_that_does_not_fit_the_declaration():
    function = to_static(lambda x: x, input_spec=[InputSpec([None, 3], "float64")])
    with pytest.raises(ValueError, match="'x' must fit"):
        function(leaf([1.0]))


def test_the_program_before_any_call():
    function = to_static(lambda x: paddle.tanh(x), input_spec=[InputSpec([2], "float32", "x")])
    assert [op.type for op in function.concrete_program.main_program.global_block().ops] == ["tanh"]
    with pytest.raises(ValueError, match="input_spec"):
        _ = to_static(lambda x: x).main_program


def test_nests_and_constants_come_back():
    function = to_static(lambda x, n: {"twice": x * n, "rest": [n, (x, None)]})
    answer = function(leaf([1.0, 2.0]), 2)
    assert answer["twice"].numpy().tolist() == [2, 4]
    assert answer["rest"][0] == 2
    assert answer["rest"][1][0].numpy().tolist() == [1, 2]
    assert answer["rest"][1][1] is None


def network():
    paddle.seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 3))


def trained(net, steps=5):
    rng = np.random.default_rng(0)
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    losses = []
    for _ in range(steps):
        x, label = rng.random((6, 4), "f4"), rng.integers(0, 3, 6)
        loss = F.cross_entropy(net(paddle.to_tensor(x)), paddle.to_tensor(label))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    return losses


def test_a_layer_trains_as_in_eager_execution():
    eager, traced = network(), to_static(network())
    assert trained(eager) == trained(traced)
    for one, other in zip(eager.state_dict().values(), traced.state_dict().values(), strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())  # running averages too


def test_evaluation_is_another_program():
    net = to_static(network())
    x = paddle.to_tensor(np.random.default_rng(1).random((6, 4), "f4"))
    training = net(x).numpy()
    net.eval()
    assert not np.allclose(training, net(x).numpy())
    assert len(net.forward.programs) == 2


def test_a_method_is_traced_for_each_object():
    class Scaled(nn.Layer):
        def __init__(self, factor):
            super().__init__()
            self.weight = self.create_parameter([1], default_initializer=nn.initializer.Constant(factor))

        @to_static
        def forward(self, x):
            return x * self.weight

    two, three = Scaled(2.0), Scaled(3.0)
    x = paddle.to_tensor([1.0])
    assert (two(x).item(), three(x).item()) == (2, 3)


def test_dropout_draws_anew_in_every_call():
    function = to_static(lambda x: F.dropout(x, 0.5))
    x = paddle.ones([100])
    assert (function(x).numpy() != function(x).numpy()).any()


def test_control_flow_of_programs():
    def function(x):
        return paddle.static.nn.cond(x.sum() > 0, lambda: x * 2, lambda: x * 3)

    traced = to_static(function)
    for sign in (1.0, -1.0):
        one, other = leaf([sign]), leaf([sign])
        function(one).backward()
        traced(other).backward()
        assert one.grad.numpy() == other.grad.numpy()


def test_a_no_grad_block_stops_gradients():
    def function(x):
        with paddle.no_grad():
            frozen = x * 2
        return frozen * x

    found = [derivatives(one, 1)[1] for one in (function, to_static(function))]
    np.testing.assert_array_equal(*found)


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="to_static"):
        to_static(3)


class Scale:
    factor = 3

    @staticmethod
    def times(x):
        if x.sum() > 0:
            return x * Scale.factor
        return x


def test_a_method_may_name_its_own_class():
    times = paddle.jit.to_static(lambda x: Scale.times(x))
    assert [float(times(paddle.to_tensor(one))) for one in (2.0, -2.0)] == [6.0, -2.0]
