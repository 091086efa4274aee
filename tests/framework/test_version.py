"""Scripts ask which Paddle they run on."""

from minipaddle.paddle import device, version


def test_the_release_that_is_followed(capsys):
    assert tuple(int(part) for part in version.full_version.split(".")) >= (3, 3)
    assert (version.major, version.minor, version.patch) == ("3", "3", "1")
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
