"""Datasets, batches, accuracy, summary: what surrounds a training loop."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

io, nn = paddle.io, paddle.nn
cases = Family("feeding")


class Squares(io.Dataset):
    """Seven rows: (i, i * i) as an array and a label."""

    def __len__(self):
        return 7

    def __getitem__(self, i):
        return np.array([i, i * i], dtype="float32"), i % 3


class Records(io.Dataset):
    """Items that are dicts, floats and lists."""

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {"x": np.full(2, i, "float32"), "pair": [i, float(i)]}


def batches(dataset, **options):
    return list(io.DataLoader(dataset, **options))


def first_columns(rows):
    return np.stack([row[0] for row in rows])


LOADERS = cases.table("loaders", globals())
for text, run in LOADERS.items():
    cases.add(text, run)
