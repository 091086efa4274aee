"""A value of a recording: a tensor at one moment.

Writing in place makes a new value of the same tensor. Values are numbered from 0 in the order they were made.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.record.reads_and_cuts import Apart, Earlier, EventId, ValueId
from minipaddle.tools.record.stats import ALONE, Stats, stats_of, unknown

ValueKind = Literal["data", "leaf", "parameter", "buffer", "result", "gradient"]
"""data: made by the user. leaf: such a tensor that requires gradient. parameter: one of a layer (paddle's Parameter).
buffer: a tensor that a layer keeps, and no optimizer trains: the averages of a BatchNorm."""


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """A tensor at one moment."""

    id: Apart[int]
    name: str
    """The user's variable name where there is one; else made of the operator, such as ``matmul_0``."""
    kind: ValueKind
    shape: Shape
    dtype: str
    stop_gradient: bool
    kept: Apart[Array | None] = None
    """The numbers if they are in memory."""
    producer: EventId | None = None
    """Index of the event that made it; None if the user did."""
    of: ValueId | None = None
    """For a gradient: the id of the value that it is the gradient of."""
    _: KW_ONLY
    holder: int = -1
    """Number of what holds it: a Tensor, a Variable, a variable of a Scope. Two that are equal are two."""
    version: int = 0
    """How many values that holder had before this one."""
    same: Earlier | None = None
    """The value that these numbers were before, with another holder: an argument, a view, a ``.grad``."""
    replaces: Earlier | None = None
    """For what a hook made of a gradient: the gradient that it was given."""
    seed: bool = False
    """Whether a backward pass began with it."""
    kept_stats: Stats | None = None
    """The statistics, where they are kept instead of the numbers, or were asked for."""
    fetch: Apart[Callable[[], Array | None] | None] = None
    """Reads numbers that are in a file."""

    def __repr__(self) -> str:
        return f"<value {self.id}: {self.name} {list(self.shape)} {self.dtype}>"

    @property
    def array(self) -> Array | None:
        """The numbers, in memory or from a file, by reference: do not write to them. None where none were kept."""
        return self.fetch() if self.kept is None and self.fetch is not None else self.kept

    @property
    def stats(self) -> Stats:
        """Minimum, mean, maximum and so on; kept even where the numbers are not."""
        if self.kept_stats is None:
            array = self.array
            self.kept_stats = stats_of(array) if array is not None else unknown(max(math.prod(self.shape), 0))
        return self.kept_stats

    def stat(self, name: str) -> float:
        """Return one of the statistics, by its name: if none was computed yet, it is computed alone."""
        if self.kept_stats is None and name in ALONE:
            array = self.array
            found = math.nan if array is None or not array.size else ALONE[name](array)
            if math.isfinite(found):
                return found
        return float(getattr(self.stats, name))

    @property
    def came_from(self) -> int | None:
        """The value that this was before: the gradient that a hook has replaced, or the same numbers elsewhere."""
        return self.same if self.replaces is None else self.replaces

    @property
    def kind_of_dtype(self) -> str:
        """NumPy's letter for the kind of its dtype; "?" where the dtype is not known."""
        return np.dtype(self.dtype).kind if self.dtype else "?"

    @property
    def nbytes(self) -> int:
        """Bytes of the numbers, kept or not."""
        return int(math.prod(self.shape)) * np.dtype(self.dtype).itemsize
