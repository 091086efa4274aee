"""Reviews of films, and whether they are good (0) or bad (1)."""

from __future__ import annotations

import re
import string
import tarfile
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.paddle.dataset.common import fetched, home
from minipaddle.paddle.io.dataset import Dataset

_URL = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz"
_TEXT = re.compile(r"aclImdb/(train|test)/(pos|neg)/.*\.txt$")


def numbered(words: Iterable[tuple[bytes, int]], least: int) -> dict[bytes, int]:
    """Return a number for each word that is there more than `least` times, the most frequent first."""
    frequent = sorted((-count, word) for word, count in words if count > least)
    return {word: number for number, (_, word) in enumerate(frequent)}


class Imdb(Dataset):
    """Reviews as rows of numbers of words.

    Args:
        data_file: the archive ``aclImdb_v1.tar.gz``; by default where Paddle keeps it.
        mode: "train" or "test".
        cutoff: words that are there more often have a number of their own.
        download: whether the file may be looked for where Paddle keeps it; nothing is downloaded.

    Raises:
        AssertionError: **mode should be**.
        RuntimeError: **downloads nothing**.
    """

    def __init__(
        self, data_file: str | None = None, mode: str = "train", cutoff: int = 150, download: bool = True
    ) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train', 'test', but got {mode}"
        self.mode = mode.lower()
        assert data_file or download, "data_file is not set and downloading automatically is disabled"
        self.data_file = data_file or fetched(_URL, home("dataset/imdb"))
        texts = self._read()
        counts = Counter(word for words in texts.values() for row in words for word in row)
        self.word_idx: dict[Any, int] = dict(numbered(counts.items(), cutoff))
        self.word_idx["<unk>"] = unknown = len(self.word_idx)
        self.docs, self.labels = [], []
        for label, opinion in enumerate(("pos", "neg")):
            for row in texts.get((self.mode, opinion), ()):
                self.docs.append([self.word_idx.get(word, unknown) for word in row])
                self.labels.append(label)

    def _read(self) -> dict[tuple[str, str], list[list[bytes]]]:
        """Return the words of all reviews, by part and opinion, in small letters and without punctuation."""
        found: dict[tuple[str, str], list[list[bytes]]] = {}
        with tarfile.open(self.data_file) as archive:
            for member in archive:
                match = _TEXT.match(member.name)
                file = archive.extractfile(member) if match else None
                if match and file:
                    text = file.read().rstrip(b"\n\r").translate(None, string.punctuation.encode()).lower()
                    found.setdefault((match[1], match[2]), []).append(text.split())
        return found

    def __getitem__(self, idx: int) -> tuple[Array, Array]:
        """Return the numbers of the words, and the opinion [1]."""
        return np.array(self.docs[idx]), np.array([self.labels[idx]])

    def __len__(self) -> int:
        return len(self.docs)
