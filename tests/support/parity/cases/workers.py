"""DataLoader with workers: who makes which batch, in which order, with which random numbers."""

import random

import numpy as np
import paddle

from tests.support.parity.kit import Family

io = paddle.io
cases = Family("workers")


class Who(io.Dataset):
    """Seven rows: the number, and the worker that fetched it."""

    def __len__(self):
        return 7

    def __getitem__(self, i):
        info = io.get_worker_info()
        return np.array([i, -1 if info is None else info.id])


class Stream(io.IterableDataset):
    """In worker k, three and k rows."""

    def __init__(self):
        self.size = 3

    def __iter__(self):
        info = io.get_worker_info()
        for i in range(self.size + (0 if info is None else info.id)):
            yield np.array([i, -1 if info is None else info.id])


class Drawn(io.Dataset):
    """Random numbers of NumPy, of Python and of Paddle."""

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return np.random.rand(3), random.random(), np.random.randint(1000)


class Mixed(io.Dataset):
    """Tensors, dicts, texts and numbers."""

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {"x": np.full(2, i, "float32"), "name": f"row {i}", "pair": [i, float(i)]}


def rows(dataset, **options):
    return [batch[0] if isinstance(batch, list) else batch for batch in io.DataLoader(dataset, **options)]


LOADERS = cases.table("loaders", globals())
for text, run in LOADERS.items():
    cases.add(text, run)
