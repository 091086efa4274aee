"""paddle.vision.datasets: images to learn from, in files that are on this machine.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/datasets/NAME_en.html. Nothing is downloaded:
:mod:`minipaddle.dataset.common` says where files are looked for, and how to ask for made-up examples instead.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.vision.datasets.cifar import Cifar10, Cifar100
from minipaddle.vision.datasets.flowers import Flowers
from minipaddle.vision.datasets.folder import DatasetFolder, ImageFolder
from minipaddle.vision.datasets.mnist import MNIST, FashionMNIST
from minipaddle.vision.datasets.voc2012 import VOC2012

__all__ = [
    "MNIST", "VOC2012", "Cifar10", "Cifar100", "DatasetFolder", "FashionMNIST", "Flowers", "ImageFolder",
]  # fmt: skip

guard_all(globals())
__getattr__ = missing(__name__, __all__)
