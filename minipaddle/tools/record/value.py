"""A value of a recording: a tensor at one moment.

Writing in place makes a new value of the same tensor. Values are numbered from 0 in the order of the run.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np

from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.record.reads_and_cuts import Apart, Earlier, EventId, ValueId
from minipaddle.tools.record.stats import Stats, stats_of, unknown

ValueKind = Literal["data", "leaf", "parameter", "buffer", "result", "gradient"]
"""data: made by the user. leaf: also made by the user, and requires gradient. parameter: of a layer (Parameter).
buffer: a layer's tensor that no optimizer trains: the averages of a BatchNorm."""


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """A tensor at one moment."""

    id: Apart[int]
    name: str
    """The user's variable, if any; else from the operator, such as ``matmul_0``."""
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
    """Number of its holder: a Tensor, a Variable, an entry of a Scope. Holders with equal numbers stay two."""
    version: int = 0
    """The number of earlier values of that holder."""
    same: Earlier | None = None
    """The earlier value with these numbers and another holder: an argument, a view, a ``.grad``."""
    replaces: Earlier | None = None
    """For a hook's result: the gradient that the hook got."""
    seed: bool = False
    """Whether a backward pass started from it."""
    kept_stats: Stats | None = None
    """The statistics, if kept instead of the numbers, or already computed."""
    fetch: Apart[Callable[[], Array | None] | None] = None
    """Reads the numbers from a file."""

    def __repr__(self) -> str:
        return f"<value {self.id}: {self.name} {list(self.shape)} {self.dtype}>"

    @property
    def array(self) -> Array | None:
        """The numbers, in memory or from a file, by reference: do not write to them. None if not kept."""
        return self.fetch() if self.kept is None and self.fetch is not None else self.kept

    @property
    def stats(self) -> Stats:
        """Minimum, mean, maximum and so on; kept even if the numbers are not."""
        if self.kept_stats is None:
            array = self.array
            self.kept_stats = stats_of(array) if array is not None else unknown(max(math.prod(self.shape), 0))
        return self.kept_stats

    def stat(self, name: str) -> float:
        """Return one of the statistics by name."""
        return float(getattr(self.stats, name))

    @property
    def came_from(self) -> int | None:
        """The value before this one: the gradient that a hook replaced, or the same numbers with another holder."""
        return self.same if self.replaces is None else self.replaces

    @property
    def kind_of_dtype(self) -> str:
        """NumPy's letter for the kind of its dtype; "?" if the dtype is unknown."""
        return np.dtype(self.dtype).kind if self.dtype else "?"

    @property
    def nbytes(self) -> int:
        """Bytes of the numbers, kept or not."""
        return int(math.prod(self.shape)) * np.dtype(self.dtype).itemsize
