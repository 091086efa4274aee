"""Recurrent networks: cells, which take one step; layers that run a cell over time; and stacks of these."""

from minipaddle.engine.errors import guard_all
from minipaddle.paddle.nn.layer.rnn.cells import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from minipaddle.paddle.nn.layer.rnn.networks import GRU, LSTM, RNNBase, SimpleRNN
from minipaddle.paddle.nn.layer.rnn.over_time import RNN, BiRNN, rnn

__all__ = [
    "GRU", "LSTM", "RNN", "BiRNN", "GRUCell", "LSTMCell", "RNNBase", "RNNCellBase", "SimpleRNN",
    "SimpleRNNCell", "rnn",
]  # fmt: skip

guard_all(globals())
