"""Cells: one step of a recurrent network, from an input and a state to an output and the next state."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.creation.full import full
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.split import split
from minipaddle.ops.math.exponential import tanh
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer.random import Uniform
from minipaddle.paddle.nn.layer.layers import Layer

ACTIVATIONS = {"tanh": tanh, "relu": F.relu}


class RNNCellBase(Layer):
    """Base of all cells; a subclass defines ``forward(inputs, states)`` and ``state_shape``.

    ``forward`` returns an output [batch, size] and the next state. The state is a tensor, or a tuple of several;
    ``state_shape`` is the shape of each, without the batch.
    """

    @property
    def state_shape(self) -> Any:
        """The shape of the state, or of each of its parts."""
        raise NotImplementedError("Please add implementation for `state_shape` in the used cell.")

    def get_initial_states(
        self,
        batch_ref: Value,
        shape: Any = None,
        dtype: Any = None,
        init_value: float = 0.0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """Return a state filled with one number, for the batch size of another tensor.

        Args:
            batch_ref: a tensor with the batch.
            shape: the state's shape, without the batch; ``state_shape`` by default. Nested like the state.
            dtype: the state's dtype; by default that of the parameters.
            init_value: the number.
            batch_dim_idx: the batch axis of `batch_ref`.
        """
        known = batch_ref.shape[batch_dim_idx]
        batch = 1 if known == -1 else known  # -1: known only in a run; one state, which broadcasts
        kind = dtype or self._dtype

        def made(shape: Any) -> Any:
            if any(isinstance(part, tuple | list) for part in shape):
                return tuple(made(part) for part in shape)
            return full([batch, *shape], init_value, kind)

        return made(self.state_shape if shape is None else shape)


class Gated(RNNCellBase):
    """A cell that adds ``x W_ih + b_ih`` and ``h W_hh + b_hh`` for each of its `gates`.

    Parameters, first uniform between -1/sqrt(hidden_size) and 1/sqrt(hidden_size):
    weight_ih [gates * hidden, input], weight_hh [gates * hidden, hidden], bias_ih and bias_hh [gates * hidden].

    Args:
        input_size: size of the inputs.
        hidden_size: size of the state.
        weight_ih_attr: a ParamAttr, or a value that converts to one; False: there is none.
        weight_hh_attr: the same for the recurrent weight.
        bias_ih_attr: the same for the first bias.
        bias_hh_attr: the same for the second.

    Raises:
        ValueError: if `hidden_size` is 0.
    """

    gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if hidden_size <= 0:
            raise invalid(
                f"hidden_size of {type(self).__name__} must be greater than 0, but now equals to {hidden_size}"
            )
        self.input_size, self.hidden_size = input_size, hidden_size
        rows, bound = self.gates * hidden_size, 1 / math.sqrt(hidden_size)
        for parameter, shape, attr in (
            ("weight_ih", [rows, input_size], weight_ih_attr),
            ("weight_hh", [rows, hidden_size], weight_hh_attr),
            ("bias_ih", [rows], bias_ih_attr),
            ("bias_hh", [rows], bias_hh_attr),
        ):
            made = self.create_parameter(
                shape, attr, is_bias=len(shape) == 1, default_initializer=Uniform(-bound, bound)
            )
            setattr(self, parameter, made)

    @property
    def state_shape(self) -> Any:
        """``(hidden_size,)``, unless a cell overrides it."""
        return (self.hidden_size,)

    def project(self, inputs: Value) -> Any:
        """Return the inputs' part of the gates, ``x W_ih + b_ih``, for one step or for all at once."""
        return _affine(inputs, self.weight_ih, self.bias_ih)

    def recur(self, hidden: Value) -> Any:
        """Return the previous state's part of the gates, ``h W_hh + b_hh``."""
        return _affine(hidden, self.weight_hh, self.bias_hh)

    def step(self, projected: Any, states: Any) -> tuple[Any, Any]:
        """Return output and state after a step from the projected inputs."""
        raise NotImplementedError

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """Take one step.

        Args:
            inputs: [batch, input_size].
            states: the state before; zeros by default.

        Returns:
            The output [batch, hidden_size] and the next state.
        """
        states = self.get_initial_states(inputs) if states is None else states
        return self.step(self.project(inputs), states)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(Gated):
    """``h' = act(x W_ih + b_ih + h W_hh + b_hh)``.

    `activation` is ``tanh`` or ``relu``; the other arguments are those of :class:`Gated`.

    Raises:
        ValueError: for another activation, or a size of 0.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        if activation not in ACTIVATIONS:
            raise invalid(
                f"Unknown activation '{activation}': "
                f"activation for SimpleRNNCell should be tanh or relu, but get {activation}"
            )
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self.activation = activation

    def step(self, projected: Value, states: Value) -> tuple[Any, Any]:
        """Return the new state twice: it is also the output."""
        hidden = ACTIVATIONS[self.activation](projected + self.recur(states))
        return hidden, hidden

    def extra_repr(self) -> str:
        """Return sizes, and the activation if it is not tanh."""
        return super().extra_repr() + ("" if self.activation == "tanh" else f", activation={self.activation}")


class LSTMCell(Gated):
    """The cell with a memory c and the state h; its gates are i, f, g, o, its arguments those of :class:`Gated`.

    ``c' = sigmoid(f) c + sigmoid(i) tanh(g)``, ``h' = sigmoid(o) tanh(c')``.
    """

    gates = 4

    @property
    def state_shape(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The shapes of h and c."""
        return ((self.hidden_size,), (self.hidden_size,))

    def step(self, projected: Value, states: Any) -> tuple[Any, Any]:
        """Return h, and ``(h, c)``."""
        hidden, memory = states
        i, f, g, o = split(projected + self.recur(hidden), 4, axis=-1)
        memory = sigmoid(f) * memory + sigmoid(i) * tanh(g)
        hidden = sigmoid(o) * tanh(memory)
        return hidden, (hidden, memory)


class GRUCell(Gated):
    """The cell with the gates r, z, c; its arguments are those of :class:`Gated`.

    ``h' = z h + (1 - z) tanh(x_c + r h_c)``, where z and r are the sigmoids of their gates.
    """

    gates = 3

    def step(self, projected: Value, states: Value) -> tuple[Any, Any]:
        """Return the new state twice: it is also the output."""
        x_r, x_z, x_c = split(projected, 3, axis=-1)
        h_r, h_z, h_c = split(self.recur(states), 3, axis=-1)
        reset, update = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
        candidate = tanh(x_c + reset * h_c)
        hidden = (states - candidate) * update + candidate
        return hidden, hidden


def _affine(x: Value, weight: Value, bias: Value | None) -> Any:
    product = matmul(x, weight, transpose_y=True)
    return product if bias is None else product + bias
