"""Recurrent networks: cells, which take one step, and layers of cells over time."""

from minipaddle.engine.errors import guard_all
from minipaddle.paddle.nn.layer.rnn.cells import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from minipaddle.paddle.nn.layer.rnn.networks import GRU, LSTM, RNNBase, SimpleRNN

__all__ = ["GRU", "LSTM", "GRUCell", "LSTMCell", "RNNBase", "RNNCellBase", "SimpleRNN", "SimpleRNNCell"]

guard_all(globals())
