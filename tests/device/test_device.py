"""Requests for another device are answered as by Paddle built for the CPU."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import device


def test_no_device_is_counted():
    assert device.cuda.device_count() == paddle.cuda.device_count() == 0
    assert not paddle.cuda.is_available()
    assert not any(
        [device.is_compiled_with_ipu(), device.is_compiled_with_cinn(), device.is_compiled_with_cuda()]
    )
    assert not any([device.is_compiled_with_custom_device("npu"), device.is_compiled_with_xpu()])
    assert device.is_compiled_with_distribute()
    assert device.get_device() == "cpu"
    assert device.get_device(paddle.ones([1])) == -1


@pytest.mark.parametrize("wanted", [None, 0, "cpu", paddle.CPUPlace()])
def test_the_cpu_can_be_set(wanted):
    assert device.set_device(wanted) == paddle.CPUPlace()
    assert paddle.get_device() == "cpu"


@pytest.mark.parametrize(
    ("wanted", "words"), [("gpu:0", "not compiled with CUDA"), ("xpu", "with XPU"), ("npu", "like 'cpu'")]
)
def test_others_cannot(wanted, words):
    with pytest.raises(ValueError, match=words):
        device.set_device(wanted)


@pytest.mark.parametrize("name", ["max_memory_allocated", "memory_allocated", "max_memory_reserved"])
def test_what_a_gpu_is_asked_says_what_is_missing(name):
    with pytest.raises(ValueError, match=rf"The API paddle\.device\.cuda\.{name} is not supported in CPU"):
        getattr(device.cuda, name)()


def test_events_cannot_be_made_and_nothing_can_be_waited_for():
    with pytest.raises(RuntimeError, match="CUDAEvent can only be initialized on the GPU"):
        device.cuda.Event()
    with pytest.raises(TypeError, match="device should be gpu, xpu"):
        device.synchronize()
    with pytest.raises(RuntimeError, match="not compiled with CUDA"):
        device.cuda.synchronize()
    assert device.cuda.empty_cache() is None


def test_places_are_there_to_ask_and_not_to_make():
    assert not isinstance(paddle.ones([1]).place, paddle.CUDAPlace)
    with pytest.raises(ValueError, match="use wrong place"):
        paddle.CUDAPlace(0)


def test_pinned_memory_is_not_there():
    with pytest.raises(RuntimeError, match="Cannot use CUDAPinnedPlace in CPU only version"):
        paddle.CUDAPinnedPlace()
