"""Networks for images: weights from a local file, names, and what is not Paddle's to say."""

import numpy as np
import pytest

from minipaddle import paddle


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """The folder where trained weights are looked for."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".cache" / "paddle" / "hapi" / "weights"
    folder.mkdir(parents=True)
    return folder


def test_trained_weights_are_read_from_the_folder_where_paddle_keeps_them(weights):
    trained = paddle.vision.models.resnet18()
    paddle.save(trained.state_dict(), str(weights / "resnet18.pdparams"))
    model = paddle.vision.models.resnet18(pretrained=True)
    for name, value in trained.state_dict().items():
        assert np.array_equal(model.state_dict()[name].numpy(), value.numpy()), name


def test_weights_that_are_not_there_are_not_downloaded(weights):
    with pytest.raises(
        RuntimeError, match=r"downloads nothing: fetch https://.*/mobilenet_v2_x1\.0\.pdparams"
    ) as told:
        paddle.vision.models.mobilenet_v2(pretrained=True)
    assert str(weights / "mobilenet_v2_x1.0.pdparams") in str(told.value)


def test_networks_are_found_in_the_room_above_as_well():
    assert paddle.vision.resnet18 is paddle.vision.models.resnet18
    assert set(paddle.vision.models.__all__) < set(paddle.vision.__all__)


def test_a_network_that_is_not_here_is_refused_in_one_sentence():
    with pytest.raises(ImportError, match=r"AlexNet: .*works in PaddlePaddle"):
        exec("from minipaddle.paddle.vision.models import AlexNet")
