"""Sentences of a newspaper (Penn Treebank, as Mikolov has prepared them)."""

from __future__ import annotations

import tarfile
from collections import Counter
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.paddle.dataset.common import fetched, home
from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.text.datasets.imdb import numbered

_URL = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz"


class Imikolov(Dataset):
    """Sentences as numbers of words: windows of some words, or all but the last and all but the first.

    Args:
        data_file: the archive ``simple-examples.tgz``; by default where Paddle keeps it.
        data_type: "NGRAM" or "SEQ".
        window_size: how many words a window has; or the most that a sentence may have, if that is above 0.
        mode: "train" or "test".
        min_word_freq: words that are there more often have a number of their own.
        download: whether the file may be looked for where Paddle keeps it; nothing is downloaded.

    Raises:
        AssertionError: **data type**, **mode should be**, **Invalid gram length**.
        RuntimeError: **downloads nothing**.
    """

    def __init__(
        self,
        data_file: str | None = None,
        data_type: str = "NGRAM",
        window_size: int = -1,
        mode: str = "train",
        min_word_freq: int = 50,
        download: bool = True,
    ) -> None:
        assert data_type.upper() in ("NGRAM", "SEQ"), (
            f"data type should be 'NGRAM', 'SEQ', but got {data_type}"
        )
        assert mode.lower() in ("train", "test"), f"mode should be 'train', 'test', but got {mode}"
        assert data_file or download, "data_file is not set and downloading automatically disabled"
        assert data_type.upper() == "SEQ" or window_size > -1, "Invalid gram length"
        self.data_type = data_type.upper()
        self.mode = mode.lower()
        self.window_size = window_size
        self.min_word_freq = min_word_freq
        self.data_file = data_file or fetched(_URL, home("dataset/imikolov"))
        counts = Counter(word for part in ("train", "valid") for row in self._read(part) for word in row)
        del counts[b"<unk>"]
        self.word_idx: dict[Any, int] = {
            _text(word): n for word, n in numbered(counts.items(), min_word_freq).items()
        }
        self.word_idx["<unk>"] = unknown = len(self.word_idx)
        rows = [[self.word_idx.get(_text(word), unknown) for word in row] for row in self._read(self.mode)]
        self.data: list[tuple[Any, ...]] = []
        for row in rows:
            if self.data_type == "NGRAM":
                ends = range(window_size, len(row) + 1)
                self.data += [tuple(row[end - window_size : end]) for end in ends]
            elif not 0 < window_size < len(row) - 1:
                self.data.append((row[:-1], row[1:]))

    def _read(self, part: str) -> list[list[bytes]]:
        """Return the words of each sentence, between marks of its ends."""
        with tarfile.open(self.data_file) as archive:
            file = archive.extractfile(f"./simple-examples/data/ptb.{part}.txt")
            assert file is not None, f"there is no part {part}"
            return [[b"<s>", *line.split(), b"<e>"] for line in file]

    def __getitem__(self, idx: int) -> tuple[Array, ...]:
        """Return the words of a window, each an array, or the two rows."""
        return tuple(np.array(one) for one in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)


def _text(word: bytes) -> bytes | str:
    """Return a word as it is found in ``word_idx``: marks as text, words as bytes."""
    return word.decode() if word in (b"<s>", b"<e>") else word
