"""Workers of a DataLoader: turns, their own state, and errors of the dataset."""

import random
import subprocess
import sys

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import io


class Rows(io.Dataset):
    """Six numbers; `on_four` runs with the fifth."""

    def __init__(self, on_four=None):
        self.on_four = on_four

    def __len__(self):
        return 6

    def __getitem__(self, index):
        if index == 4 and self.on_four is not None:
            return self.on_four()
        return index


def fail():
    raise ZeroDivisionError("in the dataset")


def states():
    _, words, place, *_ = np.random.get_state()
    return random.getstate(), words.tolist(), place, paddle.rand([3]).tolist()


def test_an_error_in_a_turn_is_raised_in_the_loop_and_ends_the_turn():
    paddle.seed(1)
    batches = iter(io.DataLoader(Rows(fail), num_workers=2))
    assert [next(batches).item() for _ in range(4)] == [0, 1, 2, 3]
    before = states()
    paddle.seed(1)
    with pytest.raises(ZeroDivisionError, match=r"^in the dataset$") as caught:
        next(batches)
    assert caught.traceback[-1].name == "fail"
    assert io.get_worker_info() is None
    assert states() == before


def test_an_error_in_the_first_function_of_a_worker_is_raised():
    def init(worker):
        assert worker == 0, "only one"

    with pytest.raises(AssertionError, match="only one"):
        iter(io.DataLoader(Rows(), num_workers=2, worker_init_fn=init))


def test_a_batch_is_made_when_it_is_due():
    drawn = []

    def numbers():
        for index in range(6):
            drawn.append(index)
            yield [index]

    batches = iter(io.DataLoader(Rows(), batch_sampler=numbers(), num_workers=2, prefetch_factor=3))
    assert drawn == []
    assert next(batches).item() == 0
    assert drawn == [0]


def test_a_worker_has_its_own_copy_and_its_facts_are_fixed():
    data = Rows()

    def init(worker):
        info = io.get_worker_info()
        info.dataset.on_four = lambda: 40 + info.num_workers
        with pytest.raises(RuntimeError, match="Cannot assign attributes to WorkerInfo objects"):
            info.id = 7

    loader = io.DataLoader(data, num_workers=2, worker_init_fn=init)
    assert [batch.item() for batch in loader] == [0, 1, 2, 3, 42, 5]
    assert data.on_four is None


def test_a_worker_draws_from_its_own_numbers():
    class Drawn(Rows):
        def __getitem__(self, index):
            return random.random(), np.random.rand(), paddle.rand([1]).item()

    paddle.seed(3)
    batches = iter(io.DataLoader(Drawn(), num_workers=2))
    before = states()
    first = [next(batches) for _ in range(2)]
    assert states()[:3] == before[:3]
    paddle.seed(3)
    assert states() == before
    assert all(one.item() != other.item() for one, other in zip(*first, strict=True))


def test_a_worker_runs_operators_at_once_while_a_program_is_built():
    class Tensors(Rows):
        def __getitem__(self, index):
            return ((paddle.ones([1]) * index).numpy(),)

    paddle.enable_static()
    try:
        slot = paddle.static.data("x", [None, 1])
        loader = io.DataLoader(Tensors(), feed_list=[slot], return_list=False, num_workers=1)
        assert [batch["x"].numpy().item() for [batch] in loader] == [0, 1, 2, 3, 4, 5]
        assert not paddle.in_dynamic_mode()
    finally:
        paddle.disable_static()


def test_kept_workers_begin_anew_after_a_loop_was_left():
    began = []
    loader = io.DataLoader(Rows(), num_workers=2, persistent_workers=True, worker_init_fn=began.append)
    assert next(iter(loader)).item() == 0
    assert [batch.item() for batch in loader] == [*range(6)]
    assert began == [0, 1]


def test_workers_are_loaded_when_they_are_asked_for():
    code = "import sys; from minipaddle import paddle; paddle.io; print('minipaddle.paddle.io.worker' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )
