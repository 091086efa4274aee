"""Functions that are one operator in 2.6.2: what a Program has for them, slot by slot, and the numbers."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, types
from tests.support.parity.kit import Family, data

cases = Family("static_one_operator")
ELSEWHERE = ("Reserve", "DropoutState")  # what they are called and where they live is each one's own affair


def slots(op):
    """The slots that hold something."""
    held = [{slot: read(slot) for slot in sorted(names) if read(slot) and slot not in ELSEWHERE}
            for names, read in ((op.input_names, op.input), (op.output_names, op.output))]  # fmt: skip
    return [{slot: names for slot, names in one.items() if set(names) != {"@EMPTY@"}} for one in held]


def network(make, *shape, lengths=None):
    """What a network appends, its own operator and the gradient of that, and the numbers of one run."""
    x = feed("x", *shape)
    given = {"x": data(2, 4, 3, seed=1).astype("float32")}
    counts = None if lengths is None else feed("n", 2, dtype="int64", stop=True)
    if lengths is not None:
        given["n"] = np.array(lengths)
    layer = make()
    out, last = layer(x, None, counts)
    last = list(last) if isinstance(last, (list, tuple)) else [last]
    S.append_backward(sum((one * one).sum() for one in [out, *last]))
    weights = layer.state_dict().values()
    ops = {op.type: op for op in S.default_main_program().global_block().ops}
    wanted = [out.name, *[one.name for one in last], "x@GRAD", *[f"{one.name}@GRAD" for one in weights]]
    exe = S.Executor()
    exe.run(S.default_startup_program())
    for seed, one in enumerate(weights):
        value = data(*one.shape, seed=70 + seed, low=-0.6, high=0.6).astype("float32")
        S.global_scope().find_var(one.name).get_tensor().set(value, paddle.CPUPlace())
    attrs = [
        "dropout_prob",
        "hidden_size",
        "input_size",
        "is_bidirec",
        "is_test",
        "mode",
        "num_layers",
        "seed",
    ]
    return {
        "types": types(),
        "rnn": slots(ops["rnn"]),
        "rnn_grad": slots(ops["rnn_grad"]),
        "attributes": {name: ops["rnn"].attr(name) for name in attrs},
        "shapes": [list(one.shape) for one in [out, *last]],
        "numbers": exe.run(feed=given, fetch_list=wanted),
    }


nn = paddle.nn
for title, make in {
    "LSTM": lambda: nn.LSTM(3, 2),
    "GRU of two layers": lambda: nn.GRU(3, 2, num_layers=2, direction="bidirect"),
    "SimpleRNN of relu": lambda: nn.SimpleRNN(3, 2, activation="relu"),
}.items():
    cases.add(title, network, make, 2, 4, 3, tolerance=1e-5)
    cases.add(
        f"{title} of different lengths",
        lambda make=make: network(make, 2, 4, 3, lengths=[4, 2]),
        tolerance=1e-5,
    )
