"""What decoding by beams and the comparison of sequences are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator


def _tree_infer(ids: Meta, parents: Meta) -> Meta:
    """Shape rule of :func:`gather_tree`."""
    for name, meta in (("ids", ids), ("parents", parents)):
        if meta.ndim != 3:
            raise failure(
                ValueError,
                f"The input {name} must be a 3D tensor with shape [length, batch_size, beam_size], "
                f"but received {list(meta.shape)}.",
            )
    if any(-1 not in pair and pair[0] != pair[1] for pair in zip(ids.shape, parents.shape, strict=True)):
        raise failure(
            ValueError,
            "The shape of Input(Parents) must be same with the shape of Input(Ids), "
            f"but received {list(parents.shape)} and {list(ids.shape)}.",
        )
    return ids


def _tree_example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    return [rng.integers(0, 9, (4, 2, 3)), rng.integers(0, 3, (4, 2, 3))], {}


@operator(
    "gather_tree", "Ids, Parents -> Out~", kinds="iu", infer=_tree_infer, example=_tree_example,
    page="nn/functional/gather_tree",
)  # fmt: skip
def gather_tree(ids: Array, parents: Array) -> Array:
    """Return whole sequences: follow each beam of the last step back to the first.

    `ids`, `parents`: int32 or int64 [length, batch, beams]: what each beam chose, and which beam it came from.

    Raises:
        ValueError: **must be a 3D tensor**, **must be same with**, **must be less than beam size**.
    """
    if ids.shape != parents.shape or ids.ndim != 3:
        raise ValueError  # worded by the shape rule
    if parents.size and not ((parents >= 0) & (parents < ids.shape[2])).all():
        raise failure(
            ValueError,
            f"The parents must be less than beam size {ids.shape[2]}, but received {parents.max()} "
            f"at most and {parents.min()} at least.",
        )
    out = ids.copy()
    if len(ids):
        beams = parents[-1]
        for step in range(len(ids) - 2, -1, -1):
            out[step] = np.take_along_axis(ids[step], beams, 1)
            beams = np.take_along_axis(parents[step], beams, 1)
    return out


def _distance_infer(
    hyps: Meta, refs: Meta, hyps_length: Meta, refs_length: Meta, normalized: bool = False
) -> tuple[Meta, Meta]:
    """Shape rule of :func:`edit_distance`."""
    for name, meta in (("Hyps", hyps), ("Refs", refs)):
        if meta.ndim != 2:
            raise failure(
                ValueError,
                f"Input({name}) must be a 2-D DenseTensor [batch, length], but received {list(meta.shape)}.",
            )
    return Meta((hyps.shape[0], 1), np.dtype("float32")), Meta((1,), np.dtype("int64"))


def _distance_example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    return [rng.integers(0, 3, (2, 4)), rng.integers(0, 3, (2, 5)), np.array([4, 2]), np.array([3, 5])], {}


@operator(
    "edit_distance", "Hyps, Refs, HypsLength, RefsLength -> Out~, SequenceNum~", kinds="iu", infer=_distance_infer,
    example=_distance_example, latex=r"\operatorname{lev}(h, r)", page="nn/functional/edit_distance",
)  # fmt: skip
def edit_distance_op(
    hyps: Array, refs: Array, hyps_length: Array, refs_length: Array, normalized: bool = False
) -> tuple[Array, ...]:
    """Count how many insertions, deletions and replacements make one sequence another (Levenshtein).

    `hyps` [batch, length] and `refs` [batch, other length] hold as many as `hyps_length` and `refs_length` say;
    `normalized` divides by the length of the second.

    Raises:
        ValueError: **must be a 2-D DenseTensor**; **Reference string** ... **is empty**, if that is divided by.
    """
    if hyps.ndim != 2 or refs.ndim != 2:
        raise ValueError  # worded by the shape rule
    found = np.zeros((len(hyps), 1), "float32")
    for place, (hyp, ref, m, n) in enumerate(
        zip(hyps, refs, hyps_length.reshape(-1), refs_length.reshape(-1), strict=True)
    ):
        if normalized and n == 0:
            raise failure(
                ValueError, f"Reference string {place} is empty, and distances are divided by its length."
            )
        found[place] = _distance(hyp[:m], ref[:n]) / (n if normalized else 1)
    return found, np.array([len(hyps)], "int64")


def _distance(hyp: Array, ref: Array) -> int:
    row = np.arange(len(ref) + 1)
    places = np.arange(len(ref) + 1)
    for count, token in enumerate(hyp, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (ref != token))  # delete it, or keep or replace it
        row = np.minimum.accumulate(np.concatenate([[count], best]) - places) + places  # or insert before it
    return int(row[-1])
