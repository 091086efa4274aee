"""Datasets and samplers."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import io


class Letters(io.Dataset):
    def __init__(self, text):
        self.text = text

    def __len__(self):
        return len(self.text)

    def __getitem__(self, index):
        return self.text[index]


class Stream(io.IterableDataset):
    def __init__(self, text):
        self.text = text

    def __iter__(self):
        return iter(self.text)


ABC, DE = Letters("abc"), Letters("de")


def test_tensor_dataset_gives_rows():
    data = io.TensorDataset([paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([5, 6])])
    assert len(data) == 2
    assert [field.tolist() for field in data[1]] == [[3.0, 4.0], 6]


def test_subset():
    assert [io.Subset(ABC, [2, 0])[i] for i in range(2)] == ["c", "a"]


def test_random_split_shares_everything_out():
    paddle.seed(1)
    parts = io.random_split(Letters("abcdefghij"), [7, 3])
    assert [len(part) for part in parts] == [7, 3]
    letters = [part[i] for part in parts for i in range(len(part))]
    assert sorted(letters) == list("abcdefghij")
    assert letters != sorted(letters)
    paddle.seed(1)
    assert io.random_split(Letters("abcdefghij"), [7, 3])[0].indices == parts[0].indices
    assert [len(part) for part in io.random_split(Letters("abcde"), [0.5, 0.5])] == [3, 2]


def test_samplers():
    data = Letters("abcdefgh")
    assert list(io.SequenceSampler(data)) == list(range(8))
    assert sorted(io.RandomSampler(data)) == list(range(8))
    some = list(io.RandomSampler(data, num_samples=3))
    assert len(set(some)) == len(io.RandomSampler(data, num_samples=3)) == 3
    assert set(io.RandomSampler(data, replacement=True, num_samples=500)) == set(range(8))
    assert list(io.RandomSampler(DE, generator=iter([1, 0, 0]))) == [1, 0]
    assert sorted(io.SubsetRandomSampler([3, 5])) == [3, 5]


def test_batch_sampler():
    assert list(io.BatchSampler(ABC, batch_size=2)) == [[0, 1], [2]]
    assert len(io.BatchSampler(ABC, batch_size=2)) == 2
    assert list(io.BatchSampler(ABC, batch_size=2, drop_last=True)) == [[0, 1]]
    assert len(io.BatchSampler(ABC, batch_size=2, drop_last=True)) == 1
    assert list(io.BatchSampler(sampler=io.SequenceSampler(DE), batch_size=3)) == [[0, 1]]
    shuffled = io.BatchSampler(ABC, shuffle=True, batch_size=2)
    assert sorted(index for batch in shuffled for index in batch) == [0, 1, 2]


ERRORS = {
    "no item": (lambda: io.Dataset()[0], NotImplementedError, "__getitem__"),
    "no length": (lambda: len(io.Dataset()), NotImplementedError, "__len__"),
    "no iter": (lambda: iter(io.IterableDataset()), NotImplementedError, "__iter__"),
    "item of a stream": (lambda: Stream("a")[0], RuntimeError, "should not be called"),
    "length of a stream": (lambda: len(Stream("a")), RuntimeError, "should not be called"),
    "sampler": (lambda: iter(io.Sampler(ABC)), NotImplementedError, "__iter__"),
    "uneven": (
        lambda: io.TensorDataset([paddle.ones([2]), paddle.ones([3])]),
        AssertionError,
        "same shape of the 1st dimension",
    ),
    "split": (lambda: io.random_split(ABC, [1, 1]), ValueError, "Sum of input lengths"),
    "replacement": (lambda: io.RandomSampler(ABC, replacement=1), TypeError, "replacement"),
    "num_samples": (lambda: io.RandomSampler(ABC, num_samples=0), ValueError, "num_samples"),
    "no subset": (lambda: io.SubsetRandomSampler([]), ValueError, "indices"),
    "nothing": (lambda: io.BatchSampler(), AssertionError, "either dataset or sampler"),
    "both": (lambda: io.BatchSampler(ABC, [0]), AssertionError, "both"),
    "batch size": (lambda: io.BatchSampler(ABC, batch_size="2"), AssertionError, "batch_size"),
    "no sampler": (lambda: io.BatchSampler(sampler=3), AssertionError, "sampler"),
    "batches of a stream": (lambda: io.BatchSampler(Stream("a")), AssertionError, "IterableDataset"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    run, kind, words = ERRORS[name]
    with pytest.raises(kind, match=words):
        run()
