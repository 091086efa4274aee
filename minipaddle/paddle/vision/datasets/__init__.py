"""paddle.vision.datasets: images to learn from, in files that are on this machine.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/datasets/NAME_en.html. Nothing is downloaded:
:mod:`minipaddle.paddle.framework.downloads` says where files are looked for, and how to ask for made-up examples.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(), {"folder": "DatasetFolder ImageFolder", "images": "Cifar10 Cifar100 FashionMNIST MNIST"}
)
