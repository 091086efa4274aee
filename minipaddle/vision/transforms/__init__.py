"""paddle.vision.transforms: what is done to images before a network sees them, as functions and as classes.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/transforms/NAME_en.html. Images are
PIL's, arrays [H, W, C] or tensors [C, H, W]. Begin with ``base.py`` and ``functional.py``.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.vision.transforms import functional, transforms
from minipaddle.vision.transforms.functional import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    affine,
    center_crop,
    crop,
    erase,
    hflip,
    normalize,
    pad,
    perspective,
    resize,
    rotate,
    to_grayscale,
    to_tensor,
    vflip,
)
from minipaddle.vision.transforms.transforms import (
    BaseTransform,
    BrightnessTransform,
    CenterCrop,
    ColorJitter,
    Compose,
    ContrastTransform,
    Grayscale,
    HueTransform,
    Normalize,
    Pad,
    RandomAffine,
    RandomCrop,
    RandomErasing,
    RandomHorizontalFlip,
    RandomPerspective,
    RandomResizedCrop,
    RandomRotation,
    RandomVerticalFlip,
    Resize,
    SaturationTransform,
    ToTensor,
    Transpose,
)

__all__ = [
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose", "ContrastTransform", "Grayscale",
    "HueTransform", "Normalize", "Pad", "RandomAffine", "RandomCrop", "RandomErasing", "RandomHorizontalFlip",
    "RandomPerspective", "RandomResizedCrop", "RandomRotation", "RandomVerticalFlip", "Resize", "SaturationTransform",
    "ToTensor", "Transpose", "adjust_brightness", "adjust_contrast", "adjust_hue", "affine", "center_crop", "crop",
    "erase", "hflip", "normalize", "pad", "perspective", "resize", "rotate", "to_grayscale", "to_tensor", "vflip",
]  # fmt: skip

guard_all(globals())
__getattr__ = missing(__name__, __all__)
