"""Running a cell over time, forward, backward or both ways."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.range import arange
from minipaddle.ops.manipulation.concat import concat, stack
from minipaddle.ops.manipulation.split import unbind
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import unsqueeze
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.rnn.cells import Gated


def rnn(
    cell: Any,
    inputs: Value,
    initial_states: Any = None,
    sequence_length: Any = None,
    time_major: bool = False,
    is_reverse: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """Run a cell step by step and return its outputs and the last state.

    Args:
        cell: an RNNCellBase.
        inputs: [batch, time, size], or [time, batch, size] if `time_major`.
        initial_states: the state before the first step; the cell's own by default.
        sequence_length: [batch], how many steps of each example count; the state stays from there on.
        time_major: which of the first two axes is time.
        is_reverse: start with the last step.
        kwargs: go to the cell at each step.

    Returns:
        The outputs, [batch, time, size] or [time, batch, size], and the state after the last step that counts.
    """
    axis = 0 if time_major else 1
    states = (
        cell.get_initial_states(inputs, batch_dim_idx=1 - axis) if initial_states is None else initial_states
    )
    own = isinstance(cell, Gated) and not kwargs and type(cell).forward is Gated.forward
    steps = list(unbind(cell.project(inputs) if own else inputs, axis))
    masks = None if sequence_length is None else unbind(counted(sequence_length, len(steps)), 1)
    outputs: list[Any] = [None] * len(steps)
    for t in reversed(range(len(steps))) if is_reverse else range(len(steps)):
        outputs[t], after = cell.step(steps[t], states) if own else cell(steps[t], states, **kwargs)
        states = after if masks is None else _chosen(masks[t], after, states)
    return stack(outputs, axis), states


def counted(sequence_length: Any, steps: int) -> Any:
    """Return a mask [batch, steps]: True within each sequence's length."""
    if not isinstance(sequence_length, Value):
        raise invalid(
            f"sequence_length must be Tensor, but got {type(sequence_length).__name__}", "paddle.to_tensor"
        )
    times = arange(steps, dtype=sequence_length.dtype)
    return unsqueeze(times, 0) < unsqueeze(sequence_length, 1)


def _chosen(counts: Any, after: Any, before: Any) -> Any:
    """Return the new state of the examples whose sequence includes this step, the old state of the others."""
    if isinstance(after, tuple | list):
        return tuple(_chosen(counts, new, old) for new, old in zip(after, before))
    return where(unsqueeze(counts, 1), after, before)


class RNN(Layer):
    """Runs a cell over time.

    Args:
        cell: an RNNCellBase.
        is_reverse: start with the last step.
        time_major: the inputs are [time, batch, size].
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        if not isinstance(cell, Layer):
            raise failure(
                TypeError, f"cell must be a cell such as LSTMCell, but received {type(cell).__name__}."
            )
        self.cell = cell
        self.is_reverse = is_reverse
        self.time_major = time_major

    def forward(
        self, inputs: Value, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> tuple[Any, Any]:
        """Return the outputs and the last state; see :func:`rnn`."""
        return rnn(
            self.cell, inputs, initial_states, sequence_length, self.time_major, self.is_reverse, **kwargs
        )


class BiRNN(Layer):
    """Runs one cell forward and another backward, and joins their outputs.

    Args:
        cell_fw: the cell that runs forward.
        cell_bw: the cell that runs backward; takes inputs of the same size.
        time_major: the inputs are [time, batch, size].

    Raises:
        ValueError: if the cells take inputs of different sizes.
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        sizes = [cell.input_size for cell in (cell_fw, cell_bw) if isinstance(cell, Gated)]
        if len(set(sizes)) > 1:
            raise invalid(
                f"input size of forward cell({sizes[0]}) does not equals that of backward cell({sizes[1]})"
            )
        self.cell_fw, self.cell_bw = cell_fw, cell_bw
        self.time_major = time_major

    def forward(
        self, inputs: Value, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> tuple[Any, Any]:
        """Return the outputs, [..., 2 * size], and the last states of both directions."""
        before = (None, None) if initial_states is None else initial_states
        ways = ((self.cell_fw, before[0], False), (self.cell_bw, before[1], True))
        found = [
            rnn(cell, inputs, state, sequence_length, self.time_major, backward, **kwargs)
            for cell, state, backward in ways
        ]
        (forward, last), (backward, first) = found
        return concat([forward, backward], -1), (last, first)
