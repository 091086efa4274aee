"""rnn: LSTM, GRU and simple networks as one operator, with their layers and directions, lengths and dropout.

Paddle has one operator ``rnn`` with a `mode`; the three differ in their states, so there are three definitions.
Gradients also flow through Reserve, which has the gates and states of every step, [layers * directions, time, batch,
parts * size]: so the rule need not compute them again, and a second differentiation still reaches the inputs.

Inputs are [time, batch, size]; states [layers * directions, batch, size]. The list of weights has the two matrices of
every layer and direction, then the two biases of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Attrs, Meta, Operator, Value, invalid, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.recurrent.cells import CELLS, LSTM, Cell
from minipaddle.ops.recurrent.layers import BYTES, back, run


def _inferred(
    cell: Cell,
    x: Meta,
    sequence_length: Meta | None,
    states: Sequence[Meta],
    num_layers: int = 1,
    is_bidirec: bool = False,
    dropout_prob: float = 0.0,
    is_test: bool = False,
    **attrs: Any,
) -> tuple[Meta, ...]:
    """Shape rule of the three."""
    ways = 2 if is_bidirec else 1
    count = num_layers * ways
    if x.ndim != 3:
        raise invalid(f"The rank of Input in RNN must be 3, but its shape is {list(x.shape)}.")
    if sequence_length is not None and sequence_length.dtype.kind != "i":
        raise invalid(f"SequenceLength of RNN must be integers, but received {sequence_length.dtype}.")
    steps, batch, _ = x.shape
    for state in states:
        if state.ndim != 3 or _unlike(state.shape[0], count) or _unlike(state.shape[1], batch):
            raise invalid(
                f"The rank of PreState in RNN must be 3, its first axis {count} and the second the batch, {batch}, "
                f"but received the shape {list(state.shape)}.",
                "[layers * directions, batch, hidden_size]",
            )
    size = states[0].shape[2]
    out = Meta((steps, batch, size * ways), x.dtype)
    last = [Meta((count, batch, size), x.dtype) for _ in states]
    drops = dropout_prob and not is_test and num_layers > 1
    kept = Meta((count, steps, batch, cell.parts * size), x.dtype)
    return out, *last, kept, Meta(out.shape if drops else (0,), BYTES)


def _unlike(size: int, wanted: int) -> bool:
    return size != wanted and -1 not in (size, wanted)


def _drops(attrs: Attrs) -> bool:
    """Return whether a call draws dropout masks between layers."""
    return bool(attrs["dropout_prob"] and not attrs["is_test"] and attrs["num_layers"] > 1)


def _listing(*hidden: str, **mode: Any) -> Listing:
    return Listing(*hidden, seed=of("seed", lambda seed: seed or 0, lambda listed: listed or None), **mode)


def _example(gates: int, states: int) -> Any:
    """Return an example of two layers in both directions, of sequences of different lengths."""

    def made(rng: np.random.Generator) -> Any:
        shapes = [((gates * 2, 2 if at < 2 else 4), (gates * 2, 2)) for at in range(4)]
        matrices = [rng.uniform(-0.9, 0.9, shape) for pair in shapes for shape in pair]
        biases = [rng.uniform(-0.9, 0.9, (gates * 2,)) for _ in range(8)]
        first = [rng.uniform(0.2, 0.9, (4, 2, 2)) for _ in range(states)]
        given = [rng.uniform(0.2, 0.9, (3, 2, 2)), np.array([3, 2]), *first, *matrices, *biases]
        return given, {"input_size": 2, "hidden_size": 2, "num_layers": 2, "is_bidirec": True}

    return made


@listed(
    _listing(mode="LSTM"),
    type="rnn",
    kind="lstm",
    grad_keeps="Out",
    grad_takes="Out, State",
    inputs="Input, SequenceLength, PreState, PreState, WeightList",
    outputs="Out, State, State, Reserve, DropoutState",
)
@draws_numbers(_drops)
@tried_with(_example(4, 2))
@operator(
    "lstm",
    name="rnn",
    infer=lambda x, lengths, hidden, memory, weights, **attrs: _inferred(
        LSTM, x, lengths, [hidden, memory], **attrs
    ),
    kinds="f",
    optional=("sequence_length",),
    outputs=("out", "state", "state_1", "reserve", "dropout_state"),
    by_products=("dropout_state",),
)
def lstm(
    x: Array,
    sequence_length: Array | None,
    hidden: Array,
    memory: Array,
    *weights: Array,
    input_size: int = 0,
    hidden_size: int = 0,
    num_layers: int = 1,
    is_bidirec: bool = False,
    dropout_prob: float = 0.0,
    is_test: bool = False,
    seed: int | None = None,
) -> tuple[Array, ...]:
    """Run layers of LSTM cells over time: the outputs of the last layer, h and c of all, and what a gradient needs."""
    how = num_layers, is_bidirec, dropout_prob, is_test, seed
    return run(LSTM, x, sequence_length, [hidden, memory], weights, how)


@lstm.gradient("x", onwards=True)
def _(
    dout: Value,
    dhidden: Value,
    dmemory: Value,
    dreserve: Value,
    x: Value,
    sequence_length: Value | None,
    hidden: Value,
    memory: Value,
    weights: Sequence[Value],
    reserve: Value,
    dropout_state: Value,
    num_layers: int,
    is_bidirec: bool,
    dropout_prob: float,
) -> Sequence[Any]:
    saved = (x, sequence_length, [hidden, memory], weights, reserve, dropout_state)
    return back(LSTM, (dout, [dhidden, dmemory], dreserve), saved, num_layers, is_bidirec, dropout_prob)


def _one_state(type: str, mode: str, gates: int) -> Operator:
    """Define a network whose state is h alone; `mode` is the kind of cell: GRU, RNN_TANH or RNN_RELU."""
    usual = mode

    def infer(x: Meta, lengths: Meta | None, hidden: Meta, weights: list[Meta], **attrs: Any) -> Any:
        return _inferred(CELLS[attrs.get("mode", usual)], x, lengths, [hidden], **attrs)

    known = _listing("mode", mode=mode) if mode == "GRU" else _listing()  # simple networks have two modes

    @listed(
        known,
        type="rnn",
        kind=type,
        grad_keeps="Out",
        grad_takes="Out, State",
        inputs="Input, SequenceLength, PreState, WeightList",
    )
    @draws_numbers(_drops)
    @tried_with(_example(gates, 1))
    @operator(
        type,
        name="rnn",
        infer=infer,
        kinds="f",
        optional=("sequence_length",),
        outputs=("out", "state", "reserve", "dropout_state"),
        by_products=("dropout_state",),
    )
    def network(
        x: Array,
        sequence_length: Array | None,
        hidden: Array,
        *weights: Array,
        mode: str = usual,
        input_size: int = 0,
        hidden_size: int = 0,
        num_layers: int = 1,
        is_bidirec: bool = False,
        dropout_prob: float = 0.0,
        is_test: bool = False,
        seed: int | None = None,
    ) -> tuple[Array, ...]:
        """Run layers of cells over time: the outputs of the last layer, h of all, and what the gradient needs."""
        how = num_layers, is_bidirec, dropout_prob, is_test, seed
        return run(CELLS[mode], x, sequence_length, [hidden], weights, how)

    @network.gradient("x", onwards=True)
    def _(
        dout: Value,
        dhidden: Value,
        dreserve: Value,
        x: Value,
        sequence_length: Value | None,
        hidden: Value,
        weights: Sequence[Value],
        reserve: Value,
        dropout_state: Value,
        mode: str,
        num_layers: int,
        is_bidirec: bool,
        dropout_prob: float,
    ) -> Sequence[Any]:
        saved = (x, sequence_length, [hidden], weights, reserve, dropout_state)
        return back(CELLS[mode], (dout, [dhidden], dreserve), saved, num_layers, is_bidirec, dropout_prob)

    return network


gru = _one_state("gru", "GRU", 3)
simple_rnn = _one_state("simple_rnn", "RNN_TANH", 1)
