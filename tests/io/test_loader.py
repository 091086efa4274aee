"""DataLoader: the content and order of batches, and its errors."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import io


class Numbers(io.Dataset):
    """Every kind of field."""

    def __init__(self, size=5):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        array = np.full(2, index, "float32")
        return array, index, {"a": float(index), "b": f"s{index}"}, [index, np.float32(index)]


class Stream(io.IterableDataset):
    def __iter__(self):
        yield from range(5)


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def test_fields_are_stacked_by_kind():
    batch = next(iter(io.DataLoader(Numbers(), batch_size=2)))
    assert plain(batch) == [
        [[0.0, 0.0], [1.0, 1.0]],
        [0, 1],
        {"a": [0.0, 1.0], "b": ["s0", "s1"]},
        [[0, 1], [0.0, 1.0]],
    ]
    assert [tensor.array.dtype.name for tensor in (batch[0], batch[1], batch[2]["a"], batch[3][1])] == [
        "float32",
        "int64",
        "float64",
        "float32",
    ]


def labels(**options):
    return [batch[1].tolist() for batch in io.DataLoader(Numbers(), **options)]


def test_order_and_the_last_batch():
    assert labels(batch_size=2) == [[0, 1], [2, 3], [4]]
    assert labels(batch_size=2, drop_last=True) == [[0, 1], [2, 3]]
    assert labels(batch_size=2, num_workers=2) == [[0, 1], [2, 3], [4]]
    assert labels(batch_sampler=[[4, 0], [1]]) == [[4, 0], [1]]


def test_shuffling_is_decided_by_the_seed():
    np.random.seed(5)  # Paddle shuffles by NumPy's generator
    first, second = labels(shuffle=True), labels(shuffle=True)
    np.random.seed(5)
    assert labels(shuffle=True) == first
    assert sorted(first) == sorted(second) == [[0], [1], [2], [3], [4]]
    np.random.seed(1)
    orders = {tuple(map(tuple, labels(shuffle=True))) for _ in range(20)}
    assert len(orders) > 10


def test_a_loader_starts_anew_and_may_be_left_halfway():
    loader = io.DataLoader(Numbers(), batch_size=2)
    next(iter(loader))
    assert [batch[1].tolist() for batch in loader] == [batch[1].tolist() for batch in loader()]


def test_iterable_datasets():
    assert [plain(batch) for batch in io.DataLoader(Stream(), batch_size=2)] == [[0, 1], [2, 3], [4]]
    assert [plain(b) for b in io.DataLoader(Stream(), batch_size=2, drop_last=True)] == [[0, 1], [2, 3]]
    assert list(io.DataLoader(Stream(), batch_size=None)) == [0, 1, 2, 3, 4]


def test_a_stream_has_no_length_but_can_be_listed():
    loader = io.DataLoader(Stream(), batch_size=4)
    for kind in (ValueError, TypeError):
        with pytest.raises(kind, match="length of IterableDataset"):
            len(loader)
    assert len(list(loader)) == 2
    assert list(Stream()) == [0, 1, 2, 3, 4]


def test_single_examples_without_batches():
    data = io.TensorDataset([paddle.arange(3)])
    assert [plain(item) for item in io.DataLoader(data, batch_size=None)] == [[0], [1], [2]]


def test_own_collate_function():
    loader = io.DataLoader([1, 2, 3], batch_size=2, collate_fn=lambda batch: np.array(batch) * 10)
    assert [batch.tolist() for batch in loader] == [[10, 20], [30]]


def test_batches_own_their_memory():
    data = paddle.zeros([4, 2])
    (batch,) = next(iter(io.DataLoader(io.TensorDataset([data]), batch_size=2)))
    batch += 1
    batch.set_value(np.ones((2, 2), "float32"))
    assert data.numpy().sum() == 0


def test_lengths():
    assert len(io.DataLoader(Numbers(), batch_size=2)) == 3
    assert len(io.DataLoader(Numbers(), batch_size=2, drop_last=True)) == 2
    assert len(io.DataLoader(Numbers(), batch_size=None)) == 5
    with pytest.raises(ValueError, match="length of IterableDataset"):
        len(io.DataLoader(Stream()))


class Failing(io.Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        raise KeyError("row 17")


def test_an_error_in_the_dataset_is_raised_where_one_iterates():
    with pytest.raises(KeyError, match="row 17"):
        list(io.DataLoader(Failing()))


class Bad(io.Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return [np.ones(2), (1,) * (index + 1)]


ERRORS = {
    "shuffled stream": (lambda: io.DataLoader(Stream(), shuffle=True), ValueError, "not support shuffle"),
    "sampled stream": (lambda: io.DataLoader(Stream(), batch_sampler=[[0]]), ValueError, "batch_sampler"),
    "both": (
        lambda: io.DataLoader(Numbers(), batch_size=2, batch_sampler=[[0]]),
        AssertionError,
        "should not be set",
    ),
    "size": (lambda: io.DataLoader(Numbers(), batch_size=0), AssertionError, "positive"),
    "size None": (
        lambda: io.DataLoader(Numbers(), batch_size=None, drop_last=True),
        AssertionError,
        "drop_last",
    ),
    "object": (lambda: list(io.DataLoader([object()])), TypeError, "batch data con only contains"),
    "fields": (lambda: list(io.DataLoader(Bad(), batch_size=2)), RuntimeError, "fields number"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    run, kind, words = ERRORS[name]
    with pytest.raises(kind, match=words):
        run()


class Pairs(io.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.full(2, index, "float32"), np.array([index])


def test_batches_to_feed():
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x, label = paddle.static.data("x", [None, 2]), paddle.static.data("label", [None, 1], "int64")
            total = x.sum() + label.sum().astype("float32")
            loader = io.DataLoader(Pairs(), feed_list=[x, label], batch_size=2, return_list=False)
            run = paddle.static.Executor().run
            found = [run(feed=batch, fetch_list=[total])[0].item() for batch in loader()]
            with pytest.raises(AssertionError, match="feed_list should be set"):
                io.DataLoader(Pairs(), return_list=False)
    finally:
        paddle.disable_static()
    assert found == [3, 15]


def test_batches_are_lists_in_dynamic_mode():
    assert isinstance(
        next(iter(io.DataLoader(Pairs(), feed_list=["x", "label"], return_list=False)))[0], paddle.Tensor
    )
