"""The version of Paddle that scripts can ask for."""

import minipaddle
from minipaddle import paddle
from minipaddle.paddle import device, version


def test_the_release_that_is_followed(capsys):
    assert tuple(int(part) for part in version.full_version.split(".")) >= (3, 3)
    assert (version.major, version.minor, version.patch) == ("3", "3", "1")
    assert paddle.__version__ == version.full_version
    assert version.minipaddle == minipaddle.__version__
    version.show()
    assert capsys.readouterr().out.startswith(f"full_version: {version.full_version}\nmajor: 3\n")


def test_it_was_built_with_nothing():
    assert {version.cuda(), version.cudnn(), version.cinn(), version.xpu(), version.xpu_xre()} == {"False"}
    assert (version.nccl(), version.tensorrt(), version.hip(), version.cuda_archs()) == (
        "0",
        "None",
        None,
        [],
    )


def test_the_cpu_is_the_only_device():
    assert device.get_device() == "cpu"
    place = paddle.to_tensor(1.0).place
    assert place.is_cpu_place()
    assert not place.is_gpu_place()
