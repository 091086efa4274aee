"""paddle.MmapStorage. Paddle's dies when a second slice is freed, so there is no record of it."""

import numpy as np
import pytest

from minipaddle import paddle


@pytest.fixture
def path(tmp_path):
    numbers = tmp_path / "numbers.bin"
    np.arange(20, dtype="float32").tofile(numbers)
    return str(numbers)


def test_slices_are_numbers_of_the_file(path):
    held = paddle.MmapStorage(path, 80)
    assert held.get_slice(paddle.float32, 2, 6).tolist() == [2, 3, 4, 5]
    assert held.get_slice("float32", stop=20, step=7).tolist() == [0, 7, 14]
    assert held.get_slice().dtype == paddle.uint8


@pytest.mark.parametrize(
    ("read", "kind", "words"),
    [
        (lambda path: paddle.MmapStorage(path + "s", 80), RuntimeError, "unable to open file"),
        (
            lambda path: paddle.MmapStorage(path, 84),
            RuntimeError,
            "smaller than the required mapping size <84>",
        ),
        (
            lambda path: paddle.MmapStorage(path, 80).get_slice("float32", 0, 21),
            ValueError,
            "within the 20 numbers",
        ),
        (lambda path: paddle.MmapStorage(path, 80).get_slice("float32", 0, 2, 0), ValueError, "0:2:0"),
    ],
)
def test_what_is_not_there_is_refused(path, read, kind, words):
    with pytest.raises(kind, match=words):
        read(path)
