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


def test_what_is_drawn_for_each_image_is_refused_in_a_program():
    with paddle.static.program_guard(paddle.static.Program()):
        paddle.enable_static()
        try:
            x = paddle.static.data("x", [3, 8, 8])
            assert list(T.resize(x, (4, 4)).shape) == [3, 4, 4]
            with pytest.raises(RuntimeError, match="RandomCrop draws numbers"):
                T.RandomCrop(4)(x)
        finally:
            paddle.disable_static()


def test_reading_an_image_says_what_has_to_be_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(ImportError, match=r"cv2 is not installed.*pip install opencv-python"):
        paddle.vision.image_load("cat.png", "cv2")
