"""Functions of sequences and labels: edit distance, the tree of beams, sampled classes."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.sampling.class_centers import class_center_sample as class_center_sample_op
from minipaddle.ops.search.beams import edit_distance_op, gather_tree

__all__ = ["class_center_sample", "edit_distance", "gather_tree"]


def edit_distance(
    input: Value,
    label: Value,
    normalized: bool = True,
    ignored_tokens: Any = None,
    input_length: Value | None = None,
    label_length: Value | None = None,
) -> tuple[Any, Any]:
    """Return the number of pairs [1] and their edit distances [batch, 1]; while building, the distances first.

    That the two change places is Paddle's doing.

    Args:
        input: integers [batch, length].
        label: integers [batch, other length].
        normalized: divide by the length of the label.
        ignored_tokens: must be None, as in Paddle.
        input_length: [batch], how many of each row count.
        label_length: the same for `label`.

    Raises:
        ValueError: **Expected ignored_tokens is None**; no lengths; **Reference string** ... **is empty**.
    """
    if ignored_tokens is not None and len(ignored_tokens) > 0:
        raise failure(ValueError, f"Expected ignored_tokens is None (got {ignored_tokens})")
    if input_length is None or label_length is None:
        raise failure(
            ValueError,
            "Input(Hyps) without lengths must be a 2-D DenseTensor with the 2nd dimension equal to 1, and a LoD.",
            "edit_distance(..., input_length=..., label_length=...)",
        )
    distances, count = edit_distance_op.public(input, label, input_length, label_length, normalized)
    return (count, distances) if current.get().dynamic else (distances, count)


def class_center_sample(
    label: Value, num_classes: int, num_samples: int, group: Any = None
) -> tuple[Any, Any]:
    """Return the labels by their places among the sampled classes, and the sampled classes.

    Args:
        label: int32 or int64 [batch].
        num_classes: how many classes there are.
        num_samples: how many are sampled; more, if the batch has more.
        group: of processes; there is one process here.

    Raises:
        ValueError: **Expected num_samples less than or equal to**, **label_dims == 1**, **group is False, None**.
    """
    if group not in (None, False) and not hasattr(group, "is_member"):
        raise failure(
            ValueError,
            f"Expected group is False, None or instance of paddle.distributed.collective.Group (got group: {group})",
        )
    found: tuple[Any, Any] = class_center_sample_op.public(label, num_classes, num_samples)
    return found
