"""Workers of a DataLoader: an error in one is raised in the loop, and no worker is left behind."""

import gc
import multiprocessing
import os
import re
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


class TwoWords(Exception):
    """An exception that takes other arguments than one text."""

    def __init__(self, one, two):
        super().__init__(one, two)


def fail_with_two():
    raise TwoWords("one", "two")


def wait_for_ever():
    multiprocessing.Event().wait()


def taken(**options):
    return [
        batch.tolist()
        for batch in io.DataLoader(Rows(options.pop("on_four", None)), num_workers=2, **options)
    ]


@pytest.fixture(autouse=True)
def nobody_is_left():
    yield
    gc.collect()
    assert multiprocessing.active_children() == []


def test_an_error_in_a_worker_is_raised_in_the_loop_with_its_own_line():
    with pytest.raises(ZeroDivisionError) as caught:
        taken(on_four=fail)
    message = str(caught.value)
    assert message.startswith("DataLoader worker(0) caught ZeroDivisionError with message:\nTraceback")
    assert 'raise ZeroDivisionError("in the dataset")' in message
    assert "minipaddle" + os.sep + "io" not in message


def test_an_error_that_cannot_be_made_of_a_text_is_a_runtime_error():
    with pytest.raises(RuntimeError, match=r"worker\(0\) caught TwoWords with message"):
        taken(on_four=fail_with_two)


def test_an_error_whose_type_cannot_travel_is_a_runtime_error():
    class Local(Exception):
        pass

    def fail_locally():
        raise Local("of here")

    with pytest.raises(RuntimeError, match=r"of here"):
        taken(on_four=fail_locally)


def test_what_cannot_travel_is_told():
    with pytest.raises(RuntimeError, match=r"pickle"):
        list(io.DataLoader(Rows(lambda: lambda: None), num_workers=2, collate_fn=lambda rows: rows))


def test_a_worker_that_dies_is_told():
    with pytest.raises(RuntimeError, match=r"worker\(0\) exited unexpectedly, with code 3"):
        taken(on_four=lambda: os._exit(3))


def test_a_worker_that_takes_too_long_is_told():
    with pytest.raises(RuntimeError, match=r"worker\(0\) timed out after 0.2 seconds"):
        taken(on_four=wait_for_ever, timeout=0.2)


def test_an_error_in_the_first_function_of_a_worker():
    def init(worker):
        assert worker == 0, "only one"

    with pytest.raises(AssertionError, match=r"worker\(1\) caught AssertionError[^$]*only one"):
        taken(worker_init_fn=init)


def test_who_leaves_the_loop_leaves_no_worker():
    for _ in io.DataLoader(Rows(wait_for_ever), num_workers=3):
        break
    iter(io.DataLoader(Rows(wait_for_ever), num_workers=3))


KILLED = """
import os, signal
from minipaddle.paddle import io

class Rows(io.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return index

batches = iter(io.DataLoader(Rows(), num_workers=3))
next(batches)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_the_process_that_asks_them():
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE)
    said, _ = process.communicate(timeout=60)  # the end of the pipe, which the workers hold, too
    assert (said, process.returncode) == (b"", -9)


@pytest.mark.parametrize("ahead", [1, 3])
def test_each_worker_is_asked_for_some_batches_ahead(ahead):
    drawn = []

    def numbers():
        for index in range(100):
            drawn.append(index)
            yield [index % 6]

    batches = iter(io.DataLoader(Rows(), batch_sampler=numbers(), num_workers=2, prefetch_factor=ahead))
    assert len(drawn) == 2 * ahead
    assert next(batches).item() == 0
    assert len(drawn) == 2 * ahead + 1


def test_a_worker_has_its_own_copy_and_its_facts_are_fixed():
    data = Rows()

    def init(worker):
        data.on_four = lambda: 40 + io.get_worker_info().num_workers
        with pytest.raises(RuntimeError, match="Cannot assign attributes to WorkerInfo objects"):
            io.get_worker_info().id = 7

    loader = io.DataLoader(data, num_workers=2, worker_init_fn=init)
    assert [batch.item() for batch in loader] == [0, 1, 2, 3, 42, 5]
    assert data.on_four is None


def test_tensors_travel_as_what_they_are():
    class Tensors(io.Dataset):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return paddle.to_tensor([index, 1.5]), index

    def collate(rows):
        return {"x": paddle.stack([x for x, _ in rows]), "i": (np.array([i for _, i in rows]), "text")}

    [batch] = io.DataLoader(Tensors(), batch_size=2, num_workers=1, collate_fn=collate)
    assert isinstance(batch["x"], paddle.Tensor)
    assert batch["x"].tolist() == [[0.0, 1.5], [1.0, 1.5]]
    assert (batch["i"][0].tolist(), batch["i"][1]) == ([0, 1], "text")


def test_kept_workers_begin_anew_after_a_loop_was_left():
    loader = io.DataLoader(Rows(), num_workers=2, persistent_workers=True)
    assert next(iter(loader)).item() == 0
    assert [batch.item() for batch in loader] == [*range(6)]
    del loader


def test_large_requests_and_large_answers_do_not_block_each_other():
    class Large(io.Dataset):
        def __len__(self):
            return 200_000

        def __getitem__(self, index):
            return index

    loader = io.DataLoader(Large(), batch_size=50_000, num_workers=1, prefetch_factor=4)
    assert [re.findall(r"\d+", str(batch.shape)) for batch in loader] == [["50000"]] * 4


def test_workers_are_loaded_when_they_are_asked_for():
    code = "import sys; from minipaddle import paddle; paddle.io; print('minipaddle.paddle.io.worker' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )
