"""Recurrent networks beyond the recorded cases: Programs, second derivatives, no biases."""

import numpy as np
import pytest

from minipaddle import paddle

nn = paddle.nn
ZERO = nn.initializer.Constant(0.0)


def test_in_a_program_of_any_batch_it_computes_what_it_computes_eagerly():
    x = np.random.RandomState(0).rand(2, 4, 3).astype("float32")
    eager = nn.LSTM(3, 5, num_layers=2, direction="bidirect")
    wanted, _ = eager(paddle.to_tensor(x), sequence_length=paddle.to_tensor([2, 4]))
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            fed = paddle.static.data("x", [-1, 4, 3])
            lengths = paddle.static.data("n", [-1], "int64")
            layer = nn.LSTM(3, 5, num_layers=2, direction="bidirect")
            outputs, _ = layer(fed, sequence_length=lengths)
            exe = paddle.static.Executor()
            exe.run(paddle.static.default_startup_program())
            scope = paddle.static.global_scope()
            for ours, theirs in zip(layer.parameters(), eager.parameters(), strict=True):
                scope.find_var(ours.name).get_tensor().set(theirs.numpy(), paddle.CPUPlace())
            (found,) = exe.run(feed={"x": x, "n": np.array([2, 4])}, fetch_list=[outputs])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("cell", [nn.SimpleRNNCell, nn.LSTMCell, nn.GRUCell])
def test_second_derivatives_are_those_of_the_first(cell):
    layer = cell(2, 3)
    for parameter in layer.parameters():
        parameter.set_value(parameter.numpy() * 2)

    def slope(numbers, create_graph=False):
        x = paddle.to_tensor(numbers.astype("float32"), stop_gradient=False)
        state, outputs = None, []
        for step in paddle.unbind(x, 1):
            output, state = layer(step, state)
            outputs.append(output)
        (grad,) = paddle.grad((paddle.stack(outputs) ** 2).sum(), x, create_graph=create_graph)
        return x, grad

    at = np.random.RandomState(1).rand(1, 3, 2)
    x, grad = slope(at, create_graph=True)
    (second,) = paddle.grad(grad.sum(), x)
    step = 1e-2
    for place in np.ndindex(at.shape):
        nudge = np.zeros(at.shape)
        nudge[place] = step
        rise = slope(at + nudge)[1].numpy().sum() - slope(at - nudge)[1].numpy().sum()
        assert second.numpy()[place] == pytest.approx(rise / (2 * step), abs=2e-3)


def test_without_biases_it_computes_what_it_does_with_zeros():
    bare = nn.GRU(3, 4, direction="bidirect", bias_ih_attr=False, bias_hh_attr=False)
    names = [name for name, _ in bare.named_parameters()]
    assert names == [f"weight_{way}_l0{side}" for side in ("", "_reverse") for way in ("ih", "hh")]
    zeros = nn.GRU(3, 4, direction="bidirect", bias_ih_attr=ZERO, bias_hh_attr=ZERO)
    zeros.set_state_dict({**zeros.state_dict(), **bare.state_dict()})
    bare.flatten_parameters()
    x = paddle.rand([2, 5, 3])
    assert np.array_equal(bare(x)[0].numpy(), zeros(x)[0].numpy())


def test_wrong_shapes_and_lengths_are_refused():
    with pytest.raises(ValueError, match="needs 3 axes, but its shape is \\[2, 3\\]"):
        nn.LSTM(3, 4)(paddle.ones([2, 3]))
    with pytest.raises(ValueError, match=r"'sequence_length' .* must be Tensor, but got list"):
        nn.LSTM(3, 4)(paddle.ones([2, 5, 3]), sequence_length=[1, 2])
