"""Datasets, batches, accuracy, summary: what surrounds a training loop."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen

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


LOADERS = {
    "one by one": lambda: batches(Squares()),
    "by three": lambda: batches(Squares(), batch_size=3),
    "drop last": lambda: batches(Squares(), batch_size=3, drop_last=True),
    "dicts": lambda: batches(Records(), batch_size=2),
    "no batching": lambda: batches(Squares(), batch_size=None)[:2],
    "collated": lambda: batches(Squares(), batch_size=3, collate_fn=first_columns),
    "batch sampler": lambda: batches(Squares(), batch_sampler=io.BatchSampler(Squares(), batch_size=4)),
    "tensors": lambda: batches(io.TensorDataset([frozen(data(4, 2)), frozen(np.arange(4))]), batch_size=2),
    "subset": lambda: batches(io.Subset(Squares(), [5, 1]), batch_size=2),
    "lengths": lambda: [
        len(io.DataLoader(Squares(), batch_size=b, drop_last=d)) for b in (1, 3) for d in (True, False)
    ],
    "samplers": lambda: [list(io.SequenceSampler(Squares())), list(io.BatchSampler(Squares(), batch_size=3))],
    "shuffled": lambda: sorted(io.RandomSampler(Squares())),
    "shuffled batches": lambda: sorted(
        i for batch in io.BatchSampler(Squares(), shuffle=True, batch_size=3) for i in batch
    ),
    "split": lambda: sorted(len(part) for part in io.random_split(Squares(), [5, 2])),
}
for text, run in LOADERS.items():
    cases.add(text, run)
