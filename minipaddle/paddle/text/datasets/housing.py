"""Houses around Boston: thirteen numbers about a place, and what houses cost there."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.meta import Array
from minipaddle.paddle.dataset.common import file_of
from minipaddle.paddle.io.dataset import Dataset

_URL = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data"


def _made_up() -> Array:
    """Return 506 rows of thirteen numbers and a price that follows from them, nearly."""
    rng = np.random.default_rng(0)
    features = rng.uniform(0, 10, (506, 13))
    prices = features @ rng.uniform(-1, 1, (13, 1)) + 22 + rng.normal(0, 0.5, (506, 1))
    return np.concatenate([features, prices], 1)


class UCIHousing(Dataset):
    """Thirteen features, moved and stretched to a span of 1, and a price.

    Args:
        data_file: ``housing.data``; by default where Paddle keeps it.
        mode: "train", the first four fifths, or "test".
        download: whether the file may be looked for where Paddle keeps it; nothing is downloaded.

    Raises:
        AssertionError: **mode should be**.
        RuntimeError: **downloads nothing**.
    """

    def __init__(self, data_file: str | None = None, mode: str = "train", download: bool = True) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train' or 'test', but got {mode}"
        self.mode = mode.lower()
        self.data_file = file_of(data_file, _URL, "uci_housing", download, "data_file")
        rows = _made_up() if self.data_file is None else np.fromfile(self.data_file, sep=" ").reshape(-1, 14)
        features = rows[:, :-1]
        span = features.max(0) - features.min(0)
        rows = np.concatenate([(features - features.sum(0) / len(rows)) / span, rows[:, -1:]], 1)
        first = int(len(rows) * 0.8)
        self.data = rows[:first] if self.mode == "train" else rows[first:]
        self.dtype = default_float().name

    def __getitem__(self, idx: int) -> tuple[Array, Array]:
        """Return the features [13] and the price [1]."""
        row = self.data[idx].astype(self.dtype)
        return row[:-1], row[-1:]

    def __len__(self) -> int:
        return len(self.data)
