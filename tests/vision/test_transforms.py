"""Transforms: what is ours to say beside Paddle's answers, and images read from files."""

import sys

import numpy as np
import pytest

from minipaddle import paddle

T = paddle.vision.transforms
IMAGE = np.arange(60, dtype="uint8").reshape(4, 5, 3)


def test_an_image_of_one_channel_keeps_it():
    grey = IMAGE[:, :, :1]
    assert T.hflip(grey).shape == grey.shape
    assert T.resize(grey, (2, 3)).shape == (2, 3, 1)


def test_an_image_without_channels_can_be_cut():
    assert np.array_equal(T.crop(IMAGE[:, :, 0], 1, 2, 2, 3), IMAGE[1:3, 2:5, 0])


def test_colours_need_three_channels():
    with pytest.raises(ValueError, match=r"\[height, width, 3\], not \[4, 5\]"):
        T.adjust_hue(IMAGE[:, :, 0], 0.1)


def test_an_error_says_in_which_transform_it_happened():
    with pytest.raises(TypeError) as told:
        T.Compose([T.Resize(3)])([1])
    assert any("fail to perform transform" in note for note in told.value.__notes__)


def test_pixels_have_no_gradient_and_no_place_in_a_program():
    image = paddle.ones([3, 4, 5])
    image.stop_gradient = False
    with pytest.raises(RuntimeError, match="no gradient and outside of Programs"):
        T.resize(image, (2, 2))
    assert not T.normalize(image, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]).stop_gradient
    paddle.enable_static()
    try:
        with (
            paddle.static.program_guard(paddle.static.Program()),
            pytest.raises(RuntimeError, match="no gradient and outside of Programs"),
        ):
            T.RandomCrop(4)(paddle.static.data("x", [3, 8, 8]))
    finally:
        paddle.disable_static()


def test_an_array_is_read_in_three_ways():
    with pytest.raises(ValueError, match="nearest, bilinear or bicubic interpolation, not 'lanczos'"):
        T.resize(IMAGE, (2, 3), "lanczos")


def test_reading_an_image_says_what_has_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(ImportError, match=r"cv2 is not installed.*pip install opencv-python"):
        paddle.vision.image_load("cat.png", "cv2")
