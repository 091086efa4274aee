"""paddle.vision.datasets: images to learn from, in files that are on this machine.

Nothing is downloaded: :mod:`minipaddle.paddle.framework.downloads` says where files are looked for.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(globals(), {"images": "Cifar10 Cifar100 FashionMNIST ImageFolder MNIST"})
