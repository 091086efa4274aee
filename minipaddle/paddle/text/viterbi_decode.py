"""The best row of tags for each row of words (Viterbi, 1967)."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.search.viterbi import viterbi_decode as operator
from minipaddle.paddle.nn import Layer


def viterbi_decode(
    potentials: Any,
    transition_params: Any,
    lengths: Any,
    include_bos_eos_tag: bool = True,
    name: str | None = None,
) -> Any:
    """Return the score of the best tags of each row [B], and these tags, int64 [B, longest].

    Args:
        potentials: how well each tag fits each word, [B, words, tags], float32 or float64.
        transition_params: how well a tag (down) is followed by another (across), [tags, tags].
        lengths: how many words each row has, int64 [B].
        include_bos_eos_tag: whether the last tag is that before a row, and the last but one that after it.
        name: not used.

    Raises:
        ValueError: **rank**.
    """
    return operator(potentials, transition_params, lengths, include_bos_eos_tag)


class ViterbiDecoder(Layer):
    """:func:`viterbi_decode` as a layer, which keeps how tags follow each other.

    Args:
        transitions: how well a tag is followed by another, [tags, tags].
        include_bos_eos_tag: as in :func:`viterbi_decode`.
        name: not used.
    """

    def __init__(self, transitions: Any, include_bos_eos_tag: bool = True, name: str | None = None) -> None:
        super().__init__()
        self.transitions = transitions
        self.include_bos_eos_tag = include_bos_eos_tag
        self.name = name

    def forward(self, potentials: Any, lengths: Any) -> Any:
        """[B, words, tags] and [B] give the scores [B] and the tags [B, longest]."""
        return viterbi_decode(potentials, self.transitions, lengths, self.include_bos_eos_tag)
