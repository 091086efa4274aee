"""Decoding: say one word after another, and keep the best few sentences (``dynamic_decode``, ``BeamSearchDecoder``)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.eager import current
from minipaddle.engine.core.extension import walk_in_program
from minipaddle.engine.core.later import of_front
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full, zeros_like
from minipaddle.ops.creation.range import arange
from minipaddle.ops.indexing.gather import gather_nd
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.logic.logical import logical_not, logical_or
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.manipulation.tile import tile
from minipaddle.ops.math.arithmetic import floor_divide, remainder
from minipaddle.ops.math.exponential import log
from minipaddle.ops.search.beams import gather_tree
from minipaddle.ops.search.topk import topk
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape, unsqueeze
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn.functional.activation import softmax

_IMPOSSIBLE = -1e9
"""The logarithm of the chance of what must not happen."""


class Decoder:
    """Base of what :func:`dynamic_decode` runs; derive from it and define `initialize` and `step`."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Any]:
        """Return the first inputs, the first states, and which examples have ended [batch]."""
        raise NotImplementedError(f"{type(self).__name__} must define initialize()")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, Any, Any, Any]:
        """Return the outputs of a step, the next states, the next inputs, and which examples have ended [batch]."""
        raise NotImplementedError(f"{type(self).__name__} must define step()")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Return outputs [time, batch, ...] and states as the caller gets them; as they are, if this is not defined."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` itself remembers which examples have ended."""
        return False


class BeamOutput(NamedTuple):
    """What a step of beam search gives, each [batch, beams]."""

    scores: Any
    predicted_ids: Any
    parent_ids: Any


class BeamState(NamedTuple):
    """What beam search remembers: [batch, beams, ...], and [batch, beams] for the others."""

    cell_states: Any
    log_probs: Any
    finished: Any
    lengths: Any


class BeamSearchDecoder(Decoder):
    """Keep the `beam_size` most probable sentences of a recurrent cell at every step.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/BeamSearchDecoder_en.html)

    Args:
        cell: takes inputs and states, gives outputs and states; [batch * beams, ...] each.
        start_token: the word that everything begins with.
        end_token: the word that ends a sentence.
        beam_size: how many sentences are kept.
        embedding_fn: from words [batch, beams] to the inputs of the cell; None: the words are the inputs.
        output_fn: from the outputs of the cell to scores of words [batch, beams, words]; None: they are that.
    """

    OutputWrapper = BeamOutput
    StateWrapper = BeamState

    def __init__(
        self,
        cell: Any,
        start_token: int,
        end_token: int,
        beam_size: int,
        embedding_fn: Callable[[Any], Any] | None = None,
        output_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        self.cell = cell
        self.embedding_fn = embedding_fn
        self.output_fn = output_fn
        self.start_token = start_token
        self.end_token = end_token
        self.beam_size = beam_size

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """Return [batch * beams, ...]: each example of [batch, ...] `beam_size` times in a row."""
        repeated = tile(unsqueeze(x, [1]), [1, beam_size, *[1] * (len(x.shape) - 1)])
        return reshape(repeated, [-1, *x.shape[1:]])

    def _expanded(self, x: Any) -> Any:
        return tile(unsqueeze(x, [1]), [1, self.beam_size, *[1] * (len(x.shape) - 1)])

    def _split(self, x: Any) -> Any:
        return reshape(x, [-1, self.beam_size, *x.shape[1:]])

    @staticmethod
    def _merged(x: Any) -> Any:
        return reshape(x, [-1, *x.shape[2:]])

    def _chosen(self, x: Any, beams: Any) -> Any:
        """Return ``x[example, beams[example]]``."""
        batch = tile(unsqueeze(arange(beams.shape[0], dtype="int64"), [1]), [1, self.beam_size])
        return gather_nd(x, stack([batch, beams], 2))

    def initialize(self, inits: Any) -> tuple[Any, BeamState, Any]:
        """Return the first inputs, states, and which beams have ended: none; `inits` are states [batch, ...]."""
        batch = _leaves(inits)[0].shape[0]
        places = [batch, self.beam_size]
        words = full(places, self.start_token, "int64")
        only_first = np.array([[0.0] + [_IMPOSSIBLE] * (self.beam_size - 1)], default_float())
        finished = full(places, False, "bool")
        states = mapped(self._expanded, inits)
        state = BeamState(states, tile(assign(only_first), [batch, 1]), finished, zeros_like(words))
        return (self.embedding_fn(words) if self.embedding_fn else words), state, finished

    def step(
        self, time: Any, inputs: Any, states: BeamState, **kwargs: Any
    ) -> tuple[BeamOutput, BeamState, Any, Any]:
        """Let the cell take a step, and keep the best beams; see :meth:`Decoder.step`."""
        merged = mapped(self._merged, states.cell_states)
        outputs, after = self.cell(mapped(self._merged, inputs), merged, **kwargs)
        outputs, after = mapped(self._split, outputs), mapped(self._split, after)
        logits = outputs if self.output_fn is None else self.output_fn(outputs)
        output, state = self._best(logits, after, states)
        words = output.predicted_ids
        return output, state, (self.embedding_fn(words) if self.embedding_fn else words), state.finished

    def _best(self, logits: Any, after: Any, before: BeamState) -> tuple[BeamOutput, BeamState]:
        """Choose among all words of all beams."""
        count = logits.shape[-1]
        chances = log(softmax(logits))
        only_end = np.full([count], _IMPOSSIBLE, numpy_dtype(chances))
        only_end[self.end_token] = 0
        chances = where(unsqueeze(before.finished, [2]), assign(only_end), chances)
        scores = reshape(chances + unsqueeze(before.log_probs, [2]), [-1, self.beam_size * count])
        best, places = topk(scores, self.beam_size)
        beams, words = (way(places, full([1], count, "int64")) for way in (floor_divide, remainder))
        finished, lengths = self._chosen(before.finished, beams), self._chosen(before.lengths, beams)
        state = BeamState(
            mapped(lambda x: self._chosen(x, beams), after),
            best,
            logical_or(finished, equal(words, full([1], self.end_token, "int64"))),
            lengths + cast(logical_not(finished), "int64"),
        )
        return BeamOutput(best, words, beams), state

    def finalize(self, outputs: BeamOutput, final_states: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Return the sentences [time, batch, beams], each followed back to its beginning, and the states."""
        return gather_tree.public(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams that have ended are moved about."""
        return True


def dynamic_decode(
    decoder: Decoder,
    inits: Any = None,
    max_step_num: int | None = None,
    output_time_major: bool = False,
    impute_finished: bool = False,
    is_test: bool = False,
    return_length: bool = False,
    **kwargs: Any,
) -> tuple[Any, ...]:
    """Run a decoder until all have ended; return outputs, the last states and, if asked for, the lengths.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/dynamic_decode_en.html)

    Args:
        decoder: what takes the steps.
        inits: go to its ``initialize``.
        max_step_num: the last step, counted from 0; None: there is none.
        output_time_major: outputs are [time, batch, ...], not [batch, time, ...].
        impute_finished: states stay from where an example has ended.
        is_test: accepted; makes no difference.
        return_length: return how many steps each example took, too.
        kwargs: go to each ``step``.

    In a Program no gradient passes the outputs.
    """
    walked = walk_at_once if current.get().dynamic else walk_in_program
    found, states, lengths = walked(decoder, inits, max_step_num, impute_finished, kwargs)
    if type(decoder).finalize is not Decoder.finalize:
        found, states = decoder.finalize(found, states, lengths)
    if not output_time_major:
        found = mapped(lambda x: transpose(x, [1, 0, *range(2, len(x.shape))]), found)
    return (found, states, lengths) if return_length else (found, states)


def walk_at_once(
    decoder: Decoder, inits: Any, max_step_num: int | None, impute_finished: bool, options: dict[str, Any]
) -> tuple[Any, Any, Any]:
    """Take steps until all have ended; return the outputs of all steps, stacked, the last states and the lengths."""
    inputs, states, finished = decoder.initialize(inits)
    lengths = cast(zeros_like(finished), "int64")
    outputs: list[Any] = []
    while not bool(finished.all()):
        time = full([1], len(outputs), "int64")
        output, after, inputs, ended = decoder.step(time, inputs, states, **options)
        states, finished, lengths = advanced(
            decoder, states, after, finished, ended, lengths, impute_finished, last_counts=False
        )
        outputs.append(output)
        if max_step_num is not None and len(outputs) > max_step_num:
            break
    return mapped(lambda *steps: stack(list(steps), 0), *outputs), states, lengths


def advanced(
    decoder: Decoder, states: Any, after: Any, finished: Any, ended: Any, lengths: Any, impute_finished: bool,
    last_counts: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Return states, what has ended and lengths after a step, which gave the states `after` and what has `ended`.

    `last_counts`: whether the step in which an example ends still counts for it, as it does in Paddle's Programs.
    """
    if decoder.tracks_own_finished:
        return after, ended, _own_lengths(after, lengths)
    ended = logical_or(ended, finished)
    over = finished if last_counts else ended
    lengths = lengths + cast(logical_not(over), "int64")
    if impute_finished:
        after = mapped(lambda old, new: _kept(old, new, over), states, after)
    return after, ended, lengths


def _own_lengths(states: Any, lengths: Any) -> Any:
    if not hasattr(states, "lengths"):
        warnings.warn(
            "`next_states` has no `lengths` attribute, the returned `sequence_lengths` would be all zeros.",
            stacklevel=3,
        )
    return getattr(states, "lengths", lengths)


def _kept(old: Any, new: Any, ended: Any) -> Any:
    """Return the new state, and the old one for the examples that have ended."""
    return where(unsqueeze(ended, [1]), old, new)


def _leaves(nest: Any) -> list[Any]:
    """Return what lists in tuples hold."""
    return [leaf for one in nest for leaf in _leaves(one)] if isinstance(nest, (list, tuple)) else [nest]


def mapped(function: Callable[..., Any], *nests: Any) -> Any:
    """Return a nest of lists and tuples like the first, of what `function` makes of their leaves side by side."""
    first = nests[0]
    if not isinstance(first, (list, tuple)):
        return function(*nests)
    found = [mapped(function, *parts) for parts in zip(*nests, strict=True)]
    return type(first)(*found) if hasattr(first, "_fields") else type(first)(found)


__getattr__ = of_front(globals(), "minipaddle.paddle.nn")
