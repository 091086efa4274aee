"""SimpleRNN, LSTM and GRU: layers of cells over time, in one or both directions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.full import full
from minipaddle.ops.recurrent import rnn as operators
from minipaddle.ops.views.shape_operators import shape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn.arguments import bound
from minipaddle.paddle.nn.layer.container import LayerList
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.rnn.cells import Gated, GRUCell, LSTMCell, SimpleRNNCell
from minipaddle.paddle.nn.parameter.create import named_as

DIRECTIONS = {"forward": 1, "bidirect": 2, "bidirectional": 2}
_STACK = [
    inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
    for name, default in (
        ("num_layers", 1),
        ("direction", "forward"),
        ("time_major", False),
        ("dropout", 0.0),
    )
]
"""The arguments of a stack of cells."""


class RNNBase(LayerList):
    """A stack of :class:`RNN` or :class:`BiRNN`; its parameters are named ``weight_ih_l0``, ``bias_hh_l1_reverse``.

    ::

        class GRU(RNNBase, cell=GRUCell):
            "A stack of GRUCell over time."

    A network takes the arguments of its cell and, after the two sizes, the stack's:

    Args:
        num_layers: the number of layers, each on the outputs of the one before.
        direction: ``forward``, ``bidirect`` or ``bidirectional``.
        time_major: the inputs are [time, batch, size].
        dropout: share of the outputs dropped between layers while training.

    Raises:
        ValueError: for another direction.
    """

    _cell: ClassVar[type[Gated]]
    __signature__: inspect.Signature

    def __init_subclass__(cls, cell: type[Gated] | None = None) -> None:
        if cell is None:  # a user's class
            return
        first, second, *rest = inspect.signature(cell).parameters.values()
        cls._cell = cell
        cls.__signature__ = inspect.Signature([first, second, *_STACK, *rest])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = bound(self, type(self).__signature__, args, kwargs)
        stack = {one.name: given.pop(one.name) for one in _STACK}
        input_size, hidden_size = given.pop("input_size"), given.pop("hidden_size")
        self._build(lambda size: self._cell(size, hidden_size, **given), input_size, hidden_size, **stack)

    def _build(
        self,
        make_cell: Callable[[int], Any],
        input_size: int,
        hidden_size: int,
        num_layers: int,
        direction: str,
        time_major: bool,
        dropout: float,
    ) -> None:
        """Make the layers; `make_cell` makes a layer's cell from the size of its inputs."""
        super().__init__()
        if direction not in DIRECTIONS:
            raise invalid(
                f"direction should be forward or bidirect (or bidirectional), received direction = {direction}"
            )
        self.input_size, self.hidden_size = input_size, hidden_size
        self.num_layers, self.num_directions = num_layers, DIRECTIONS[direction]
        self.time_major, self.dropout = time_major, dropout
        size = input_size
        for _ in range(num_layers):
            cells = [make_cell(size) for _ in range(self.num_directions)]
            self.append(BiRNN(*cells) if len(cells) == 2 else RNN(*cells))
            size = self.num_directions * hidden_size
        for layer, each in enumerate(self):
            for cell, suffix in zip(each.children(), ("", "_reverse")):
                for name, parameter in list(cell._parameters.items()):
                    # set before the cell's own names, so that named_parameters() lists these
                    self.add_parameter(f"{name}_l{layer}{suffix}", parameter)

    def forward(
        self, inputs: Value, initial_states: Any = None, sequence_length: Any = None
    ) -> tuple[Any, Any]:
        """Run all layers.

        Args:
            inputs: [batch, time, input_size], or [time, batch, input_size] if `time_major`.
            initial_states: [layers * directions, batch, hidden_size], for LSTM two of them; zeros by default.
            sequence_length: [batch], how many steps of each example count; outputs are 0 from there on.

        Returns:
            The outputs of the last layer, [batch, time, directions * hidden_size], and the last states of all layers,
            of the shape of `initial_states`.
        """
        if len(inputs.shape) != 3:
            raise invalid(
                f"the input of {type(self).__name__} needs 3 axes, but its shape is {list(inputs.shape)}",
                "[batch, time, size]",
            )
        if initial_states is None:
            initial_states = self._zeros(inputs)
        states = list(initial_states) if isinstance(initial_states, tuple | list) else [initial_states]
        cells = [cell for each in self for cell in each.children()]
        weights = [one for cell in cells for one in (cell.weight_ih, cell.weight_hh)]
        weights += [self._bias(cell, one) for cell in cells for one in (cell.bias_ih, cell.bias_hh)]
        attrs = {
            "input_size": self.input_size,
            "hidden_size": self.hidden_size,
            "num_layers": self.num_layers,
            "is_bidirec": self.num_directions == 2,
            "dropout_prob": float(self.dropout),
            "is_test": not self.training,
        }
        steps = inputs if self.time_major else transpose(inputs, [1, 0, 2])
        with named_as(self):
            out, *last, _, _ = self._operator(cells[0])(steps, sequence_length, *states, weights, **attrs)
        out = out if self.time_major else transpose(out, [1, 0, 2])
        return out, tuple(last) if len(last) > 1 else last[0]

    def _zeros(self, inputs: Value) -> list[Any]:
        """Return the initial states."""
        axis = 1 if self.time_major else 0
        batch = inputs.shape[axis]
        batch = shape(inputs)[axis] if batch < 0 else batch
        size = [self.num_layers * self.num_directions, batch, self.hidden_size]
        return [full(size, 0.0, inputs.dtype) for _ in range(2 if self._cell is LSTMCell else 1)]

    @staticmethod
    def _operator(cell: Any) -> Callable[..., Any]:
        """Return the operator for such cells."""
        raise NotImplementedError

    @staticmethod
    def _bias(cell: Any, bias: Any) -> Any:
        """Return a bias of a cell, which is zeros if the cell has none."""
        return full([cell.gates * cell.hidden_size], 0.0, cell.weight_ih.dtype) if bias is None else bias

    def flatten_parameters(self) -> None:
        """Do nothing: in Paddle it packs the parameters for a GPU."""

    def extra_repr(self) -> str:
        """Return the sizes, and the options that are not the defaults."""
        unusual = [f"num_layers={self.num_layers}"] if self.num_layers != 1 else []
        unusual += [f"time_major={self.time_major}"] if self.time_major else []
        unusual += [f"dropout={self.dropout}"] if self.dropout else []
        return ", ".join([str(self.input_size), str(self.hidden_size), *unusual])


class RNN(Layer):
    """The cell of one layer of a network, which runs it."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self.cell = cell


class BiRNN(Layer):
    """The cells of one layer of a network in both directions."""

    def __init__(self, cell_fw: Any, cell_bw: Any) -> None:
        super().__init__()
        self.cell_fw, self.cell_bw = cell_fw, cell_bw


class SimpleRNN(RNNBase, cell=SimpleRNNCell):
    """A stack of :class:`SimpleRNNCell` over time; see :class:`RNNBase` for its arguments."""

    @staticmethod
    def _operator(cell: Any) -> Callable[..., Any]:
        return partial(operators.simple_rnn, mode=f"RNN_{cell.activation.upper()}")


class LSTM(RNNBase, cell=LSTMCell):
    """A stack of :class:`LSTMCell` over time, whose state is ``(h, c)``; see :class:`RNNBase` for its arguments."""

    @staticmethod
    def _operator(cell: Any) -> Callable[..., Any]:
        return operators.lstm


class GRU(RNNBase, cell=GRUCell):
    """A stack of :class:`GRUCell` over time; see :class:`RNNBase` for its arguments."""

    @staticmethod
    def _operator(cell: Any) -> Callable[..., Any]:
        return operators.gru
