"""paddle.vision: networks for images, transforms that prepare images, and data sets.

The names here have the arguments of Paddle's, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/Overview_en.html. Each
network, transform and data set is loaded on first use.
"""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.vision import datasets, image, models, transforms

__all__ = ["datasets", "image", "models", "transforms"]
_ROOMS = {one.__name__.rpartition(".")[2]: " ".join(one.__all__) for one in (datasets, models, transforms)}
__getattr__ = front(globals(), {**_ROOMS, "image": "get_image_backend image_load set_image_backend"})
