"""Scripts ask which Paddle they run on."""

from minipaddle import device, version


def test_the_release_that_is_followed():
    assert tuple(int(part) for part in version.full_version.split(".")) >= (3, 3)
    assert (version.major, version.minor, version.patch) == ("3", "3", "1")
    assert version.cuda() == version.cudnn() == "False"
    assert version.full_version in version.show()


def test_the_cpu_is_the_only_device():
    assert device.get_all_device_type() == device.get_available_device() == ["cpu"]
    assert device.get_device() == "cpu"
