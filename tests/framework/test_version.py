"""The version of Paddle that scripts can ask for."""

import minipaddle
from minipaddle import paddle
from minipaddle.paddle import device, version


def test_the_release_that_is_followed():
    assert tuple(int(part) for part in version.full_version.split(".")) >= (3, 3)
    assert (version.major, version.minor, version.patch) == ("3", "3", "1")
    assert paddle.__version__ == version.full_version
    assert version.minipaddle == minipaddle.__version__


def test_the_cpu_is_the_only_device():
    assert device.get_device() == "cpu"
    place = paddle.to_tensor(1.0).place
    assert place.is_cpu_place()
    assert not place.is_gpu_place()


def test_switches_of_primitive_operators_change_nothing():
    from minipaddle.paddle.base import core

    assert paddle.framework.core.set_prim_eager_enabled is core.set_prim_eager_enabled
    assert core.set_prim_eager_enabled(True) is None
    assert core._set_prim_all_enabled(True) is None
