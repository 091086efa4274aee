"""Recurrent networks: cells, what runs them over time, and stacks; values, states and all gradients."""

import paddle

from tests.support.parity.kit import Family, data, raises

nn = paddle.nn
cases = Family("recurrent")
SINGLE = 1e-5


def known(layer):
    """The layer, with weights of a known size and order."""
    for seed, parameter in enumerate(layer.parameters()):
        parameter.set_value(data(*parameter.shape, seed=70 + seed, low=-0.6, high=0.6).astype("float32"))
    return layer


def flat(states):
    return (
        [part for state in states for part in flat(state)] if isinstance(states, (tuple, list)) else [states]
    )


def differentiated(layer, *inputs, lengths=None, states=None, **options):
    """Outputs, states and the gradients of inputs, states and parameters."""
    known(layer)
    tensors = [paddle.to_tensor(array.astype("float32"), stop_gradient=False) for array in inputs]
    before = [paddle.to_tensor(array.astype("float32"), stop_gradient=False) for array in states or ()]
    given = None if not before else before[0] if len(before) == 1 else tuple(before)
    if lengths is not None:
        options["sequence_length"] = paddle.to_tensor(lengths)
    outputs, last = layer(*tensors, given, **options)
    found = [outputs, *flat(last)]
    loss = sum(
        (value * paddle.to_tensor(data(*value.shape, seed=9).astype("float32"))).sum() for value in found
    )
    loss.backward()
    wanted = [*tensors, *before, *layer.parameters()]
    return [value.numpy() for value in found], [tensor.grad.numpy() for tensor in wanted]


X = data(2, 4, 3, seed=1)
ONE = data(2, 3, seed=2)
STATE = data(2, 5, seed=3)
CELLS = {
    "SimpleRNNCell": (lambda: nn.SimpleRNNCell(3, 5), 1),
    "SimpleRNNCell relu": (lambda: nn.SimpleRNNCell(3, 5, activation="relu"), 1),
    "LSTMCell": (lambda: nn.LSTMCell(3, 5), 2),
    "GRUCell": (lambda: nn.GRUCell(3, 5), 1),
}
for title, (make, parts) in CELLS.items():
    cases.add(title, lambda make=make: differentiated(make(), ONE), tolerance=SINGLE)
    cases.add(
        f"{title} from a state",
        lambda make=make, parts=parts: differentiated(make(), ONE, states=[STATE] * parts),
        tolerance=SINGLE,
    )
    for way in (False, True):
        cases.add(
            f"{title} over time{' backward' * way}",
            lambda make=make, way=way: differentiated(nn.RNN(make(), is_reverse=way), X, lengths=[2, 4]),
            tolerance=SINGLE,
        )
cases.add("BiRNN", lambda: differentiated(nn.BiRNN(nn.GRUCell(3, 5), nn.GRUCell(3, 5)), X), tolerance=SINGLE)

for kind, parts in (("SimpleRNN", 1), ("LSTM", 2), ("GRU", 1)):
    for direction in ("forward", "bidirect"):
        count = 2 * (2 if direction == "bidirect" else 1)
        for title, options in {
            "": {},
            " of different lengths": {"lengths": [2, 4]},
            " from a state": {"states": [data(count, 2, 5, seed=4 + part) for part in range(parts)]},
        }.items():
            cases.add(
                f"{kind} {direction}{title}",
                lambda kind=kind, direction=direction, options=options: differentiated(
                    getattr(nn, kind)(3, 5, num_layers=2, direction=direction), X, **options
                ),
                tolerance=SINGLE,
            )
    cases.add(
        f"{kind} time major",
        lambda kind=kind: differentiated(getattr(nn, kind)(3, 5, time_major=True), X, lengths=[2, 1, 2, 1]),
        tolerance=SINGLE,
    )


def names_and_texts():
    both = nn.LSTM(3, 4, num_layers=2, direction="bidirect")
    plain = nn.GRU(3, 4, dropout=0.5, time_major=True)
    return (
        [(name, list(value.shape)) for name, value in both.state_dict().items()],
        [name for name, _ in both.named_parameters()],
        [name for name, _ in both.named_sublayers()],
        [repr(layer) for layer in (both, plain, nn.SimpleRNN(2, 3, activation="relu"), nn.LSTMCell(2, 3))],
        [cell.state_shape for cell in (nn.LSTMCell(2, 3), nn.GRUCell(2, 3))],
    )


def first_weights_and_dropout_of_a_seed():
    paddle.seed(3)
    layer = nn.SimpleRNN(2, 2, num_layers=2, dropout=0.5)
    dropped, _ = layer(paddle.ones([1, 3, 2]))
    layer.eval()
    kept, _ = layer(paddle.ones([1, 3, 2]))
    return [parameter.numpy() for parameter in layer.parameters()], dropped.numpy(), kept.numpy()


def a_cell_of_ones_own():
    class Counter(nn.RNNCellBase):
        @property
        def state_shape(self):
            return (3,)

        def forward(self, inputs, states, scale=1.0):
            return inputs * scale + states, states + 1

    outputs, last = nn.RNN(Counter())(paddle.to_tensor(X), scale=2.0)
    states = nn.LSTMCell(2, 3).get_initial_states(paddle.ones([5, 2]), init_value=2.0)
    return outputs.numpy(), last.numpy(), [state.numpy() for state in states]


def refusals():
    x = paddle.to_tensor(X.astype("float32"))
    return [
        raises(lambda: nn.LSTM(3, 4, direction="x"), "direction should be forward or bidirect"),
        raises(lambda: nn.SimpleRNNCell(3, 4, activation="gelu"), "should be tanh or relu, but get gelu"),
        raises(lambda: nn.SimpleRNN(3, 4, activation="gelu"), "Unknown activation 'gelu'"),
        raises(lambda: nn.LSTMCell(3, 0), "hidden_size of LSTMCell must be greater than 0"),
        raises(lambda: nn.LSTMCell(3, 4, proj_size=4), "proj_size must be smaller than hidden_size"),
        raises(lambda: nn.GRU(3, 4)(x, paddle.ones([2, 4])), "PreState"),
        raises(lambda: nn.LSTMCell(3, 4)(paddle.ones([2, 7])), "matmul"),
        raises(lambda: nn.GRU(3, 2)(x, sequence_length=[3, 5]), "sequence_length", "must be Tensor"),
        raises(lambda: nn.BiRNN(nn.GRUCell(3, 4), nn.GRUCell(2, 4)), "forward", "backward"),
    ]


def a_network_is_one_node():
    found = []
    for layer in (nn.LSTM(3, 5, num_layers=2, direction="bidirect"), nn.GRU(3, 5), nn.SimpleRNN(3, 5)):
        node = layer(paddle.to_tensor(X.astype("float32"), stop_gradient=False))[0].grad_fn
        found.append(
            [
                node.name(),
                *[one[0].name() if isinstance(one, tuple) else one.name() for one in node.next_functions],
            ]
        )
    return found


def dropout_is_drawn_once_for_all_layers():
    paddle.seed(3)
    layer = known(nn.LSTM(3, 2, num_layers=3, direction="bidirect", dropout=0.5))
    x = paddle.to_tensor(X.astype("float32"), stop_gradient=False)
    out, (h, c) = layer(x, sequence_length=paddle.to_tensor([4, 2]))
    ((out * out).sum() + h.sum() + c.sum()).backward()
    grads = [parameter.grad.numpy() for parameter in layer.parameters()]
    return out.numpy(), h.numpy(), c.numpy(), x.grad.numpy(), grads, paddle.rand([2]).numpy()
