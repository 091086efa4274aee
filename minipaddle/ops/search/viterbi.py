"""The best row of tags: each step has a score for each tag, each pair of neighbours one for following each other."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator


def _infer(
    input: Meta, transition: Meta, length: Meta, include_bos_eos_tag: bool = True
) -> tuple[Meta, Meta]:
    """Shape rule: [B, S, T] gives [B] and [B, longest]."""
    if input.ndim != 3 or transition.ndim != 2 or length.ndim != 1:
        raise failure(
            ValueError,
            "The rank of Input in ViterbiDecode must be 3, of Transition 2 and of Length 1, but received "
            f"{input.ndim}, {transition.ndim} and {length.ndim}.",
        )
    return Meta(input.shape[:1], input.dtype), Meta((input.shape[0], -1), np.dtype("int64"))


@operator(
    "viterbi_decode",
    "Input, Transition, Length -> Scores~, Path~",
    kinds="f",
    infer=_infer,
    example=lambda rng: ([rng.uniform(-1, 1, (2, 3, 4)), rng.uniform(-1, 1, (4, 4)), np.array([3, 2])], {}),
    page="text/viterbi_decode",
)
def viterbi_decode(
    input: Array, transition: Array, length: Array, include_bos_eos_tag: bool = True
) -> tuple[Array, ...]:
    """Return the score of the best tags of each row, and these tags, with zeros after the end of a row.

    With `include_bos_eos_tag` the last tag stands before each row, and the row of the last but one says how well a tag
    stands at the end.
    """
    longest = int(length.max(initial=0))
    start, stop = (transition[-1], transition[-2]) if include_bos_eos_tag else (0, 0)
    score = input[:, 0] + start + np.where(length == 1, 1, 0)[:, None] * stop
    came: list[Array] = []
    for step in range(1, longest):
        ways = score[:, :, None] + transition
        came.append(ways.argmax(1))
        ended = np.where(length == step + 1, 1, 0)[:, None] * stop
        score = np.where((step < length)[:, None], ways.max(1) + input[:, step] + ended, score)
    path = np.zeros((len(input), longest), np.int64)
    tag = score.argmax(1)
    rows = np.arange(len(input))
    for step in range(longest - 1, -1, -1):
        path[:, step] = np.where(step < length, tag, 0)
        if step:
            tag = np.where(step < length, came[step - 1][rows, tag], tag)
    return score.max(1).astype(input.dtype), path
