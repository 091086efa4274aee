"""Recurrent networks: cells, and networks; values, states and all gradients."""

import paddle

from tests.support.parity.kit import Family, data

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
CELLS = cases.table("cells", globals())
for title, (make, parts) in CELLS.items():
    cases.add(title, lambda make=make: differentiated(make(), ONE), tolerance=SINGLE)
    cases.add(
        f"{title} from a state",
        lambda make=make, parts=parts: differentiated(make(), ONE, states=[STATE] * parts),
        tolerance=SINGLE,
    )

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
