"""paddle.vision.transforms: functions and classes that prepare images for a network.

The names here have the arguments of Paddle's, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/transforms/NAME_en.html. Images are
PIL's, arrays [H, W, C] or tensors [C, H, W]. Read first: ``base.py`` and ``functional.py``.
"""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.vision.transforms import functional, transforms

__getattr__ = front(
    globals(),
    {
        "base": "BaseTransform Compose",
        "images": "adjust_brightness adjust_contrast adjust_hue to_grayscale",
        "random_transforms": """BrightnessTransform ColorJitter ContrastTransform HueTransform RandomCrop
            RandomHorizontalFlip RandomResizedCrop RandomRotation RandomVerticalFlip SaturationTransform""",
        "functional": "center_crop crop hflip normalize pad resize rotate to_tensor vflip",
        "transforms": "CenterCrop Grayscale Normalize Pad Resize ToTensor Transpose",
    },
)
