"""Whoever asks for another device is answered as Paddle built for the CPU does."""

import pytest

from minipaddle import paddle
from minipaddle.paddle import cuda, device


def test_no_device_is_counted():
    assert device.get_all_device_type() == device.get_available_device() == []
    assert device.get_all_custom_device_type() == device.get_available_custom_device() == []
    modules = (device, device.cpu, device.cuda, device.xpu, device.custom_device, cuda)
    assert [module.device_count() for module in modules] == [0] * 6
    assert device.get_cudnn_version() is None
    assert not any([device.is_available(), cuda.is_available(), cuda.is_initialized()])
    assert not any(
        [device.is_compiled_with_ipu(), device.is_compiled_with_cinn(), device.is_compiled_with_cuda()]
    )
    assert not any([device.is_compiled_with_custom_device("npu"), device.is_current_stream_capturing()])
    assert all([device.is_compiled_with_distribute(), device.is_bf16_supported()])
    assert device.get_device() == device.get_default_device() == "cpu"
    assert device.get_device(paddle.ones([1])) == -1


def test_the_module_that_answers():
    assert device.get_device_module() is device.get_device_module("cpu") is device.cpu
    assert device.get_device_module("gpu:0") is cuda
    assert device.get_device_module("xpu") is device.xpu
    with pytest.raises(RuntimeError, match="Unsupported device type: npu"):
        device.get_device_module("npu")


@pytest.mark.parametrize("wanted", [None, 0, "cpu", paddle.CPUPlace()])
def test_the_cpu_can_be_set(wanted):
    assert device.set_device(wanted) == paddle.CPUPlace()
    with device.device(wanted), device.device_guard(wanted):
        assert paddle.get_device() == "cpu"


@pytest.mark.parametrize(
    ("wanted", "words"), [("gpu:0", "not compiled with CUDA"), ("xpu", "with XPU"), ("npu", "like 'cpu'")]
)
def test_others_cannot(wanted, words):
    for ask in (device.set_device, device.set_default_device, device.device, cuda.set_device):
        with pytest.raises(ValueError, match=words):
            ask(wanted)


@pytest.mark.parametrize(
    "call",
    [
        device.max_memory_allocated,
        device.empty_cache,
        device.cuda.memory_allocated,
        device.cuda.get_device_properties,
        device.xpu.memory_used,
        cuda.memory_reserved,
        cuda.cudart,
    ],
)
def test_what_a_gpu_is_asked_says_what_is_missing(call):
    with pytest.raises(ValueError, match=rf"The API paddle\..*{call.__name__} is not supported in CPU"):
        call()


def test_streams_and_events_cannot_be_made():
    with pytest.raises(RuntimeError, match="CUDAStream can only be initialized on the GPU"):
        device.Stream()
    with pytest.raises(RuntimeError, match="XPUEvent can only be initialized on the XPU"):
        device.xpu.Event()
    with pytest.raises(TypeError, match="device should be gpu, xpu"):
        device.synchronize()
    with pytest.raises(RuntimeError, match="not compiled with CUDA"):
        device.cuda.synchronize()
    assert device.cuda.empty_cache() is None


@pytest.mark.parametrize("place", ["CUDAPlace", "XPUPlace", "IPUPlace", "CustomPlace"])
def test_places_are_there_to_ask_and_not_to_make(place):
    assert not isinstance(paddle.ones([1]).place, getattr(paddle, place))
    with pytest.raises(ValueError, match="use wrong place"):
        getattr(paddle, place)(0)


def test_pinned_memory_is_not_there():
    with pytest.raises(RuntimeError, match="Cannot use CUDAPinnedPlace in CPU only version"):
        paddle.CUDAPinnedPlace()


@pytest.mark.parametrize("module", [device, device.cpu, device.cuda, device.xpu, device.custom_device, cuda])
def test_every_device_has_the_generator_of_the_cpu(module):
    module.manual_seed(7)
    state = module.get_rng_state()
    first = paddle.rand([3]).tolist()
    module.set_rng_state(state)
    assert paddle.rand([3]).tolist() == first
    paddle.seed(7)
    assert paddle.rand([3]).tolist() == first
    with pytest.raises(TypeError, match="set_state"):
        module.set_rng_state([])


def test_tensors_of_a_type():
    assert paddle.FloatTensor([1, 2]).tolist() == [1.0, 2.0]
    assert paddle.device.IntTensor([1.7]).dtype == paddle.int32
    assert paddle.cuda.LongTensor(2, 3).shape == [2, 3]
    assert paddle.BoolTensor().shape == [0]
    with pytest.raises(ValueError, match="first argument"):
        paddle.FloatTensor([1], [2])
