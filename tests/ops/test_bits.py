"""x.view(dtype): the same bytes as another type. (The answers are Paddle 3.3.1's.)"""

import pytest

from minipaddle import paddle

FLOATS = [1.0, 2.0]


@pytest.mark.parametrize(
    ("dtype", "found"),
    [
        ("int32", [1065353216, 1073741824]),
        ("int16", [0, 16256, 0, 16384]),
        ("uint8", [0, 0, 128, 63, 0, 0, 0, 64]),
        ("float64", [2.0000004731118679]),
        ("float32", FLOATS),
    ],
)
def test_the_bytes_of_float32(dtype, found):
    view = paddle.to_tensor(FLOATS).view(dtype)
    assert view.dtype.name == dtype
    assert view.tolist() == found


def test_memory_is_shared():
    x = paddle.to_tensor(FLOATS)
    x.view("int32")[0] = 0
    assert x.tolist() == [0.0, 2.0]


def test_no_gradient_passes():
    x = paddle.to_tensor(FLOATS, stop_gradient=False)
    assert x.view("int32").stop_gradient


def test_sizes_that_do_not_come_out_even():
    with pytest.raises(ValueError, match=r"\(3\) must be multiple of 2 to view float32 as float64"):
        paddle.to_tensor([1.0, 2.0, 3.0]).view("float64")
    with pytest.raises(ValueError, match="without axes"):
        paddle.to_tensor(1.0).view("int16")
    assert paddle.to_tensor(1.0).view("int32").item() == 1065353216
