"""Seeds, default types, places, flags."""

import numpy as np
import pytest

from minipaddle import paddle


def test_a_seed_repeats_the_random_numbers():
    paddle.seed(3)
    first = paddle.randn([4]).numpy()
    assert not np.array_equal(paddle.randn([4]).numpy(), first)
    paddle.seed(3)
    np.testing.assert_array_equal(paddle.randn([4]).numpy(), first)


def test_the_default_type_is_what_floats_become():
    assert paddle.get_default_dtype() == "float32"
    try:
        paddle.set_default_dtype("float64")
        assert paddle.get_default_dtype() == "float64"
        assert paddle.to_tensor(1.5).array.dtype == "float64"
    finally:
        paddle.set_default_dtype("float32")
    with pytest.raises(TypeError, match="set_default_dtype only supports"):
        paddle.set_default_dtype("int32")


def test_there_is_one_place():
    assert repr(paddle.CPUPlace()) == "Place(cpu)"
    assert paddle.CPUPlace() == paddle.set_device("cpu")
    assert paddle.get_device() == "cpu"
    assert not paddle.is_compiled_with_cuda()
    with pytest.raises(ValueError, match="'gpu'"):
        paddle.set_device("gpu")


def test_flags_are_kept():
    paddle.set_flags({"FLAGS_cudnn_deterministic": 1})
    assert paddle.get_flags("FLAGS_cudnn_deterministic") == {"FLAGS_cudnn_deterministic": True}
    paddle.set_flags({"FLAGS_cudnn_deterministic": False})
    assert paddle.get_flags(["FLAGS_cudnn_deterministic", "FLAGS_new"]) == {
        "FLAGS_cudnn_deterministic": False,
        "FLAGS_new": None,
    }
    with pytest.raises(TypeError, match="dict"):
        paddle.set_flags(3)
    with pytest.raises(TypeError, match="list, tuple or string"):
        paddle.get_flags(3)
    with pytest.raises(ValueError, match="check_nan_inf"):
        paddle.set_flags({"check_nan_inf": 1})


def test_the_flag_that_checks_numbers_is_refused_and_its_like_is_named():
    paddle.set_flags({"FLAGS_check_nan_inf": 0})
    with pytest.raises(ValueError, match=r"works in PaddlePaddle; here `minipaddle nan SCRIPT`"):
        paddle.set_flags({"FLAGS_check_nan_inf": 1, "FLAGS_new": 3})
    assert paddle.get_flags("FLAGS_new") == {"FLAGS_new": None}


def test_dynamic_mode_is_switched_off_and_on():
    assert paddle.in_dynamic_mode()
    paddle.disable_static()
    assert paddle.in_dynamic_mode()
    paddle.enable_static()
    try:
        assert not paddle.in_dynamic_mode()
    finally:
        paddle.disable_static()
    assert paddle.in_dynamic_mode()
