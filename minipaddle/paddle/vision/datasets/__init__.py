"""paddle.vision.datasets: images to learn from, in files on this machine.

Nothing is downloaded: :mod:`minipaddle.paddle.framework.downloads` searches the files.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(globals(), {"images": "Cifar10 Cifar100 FashionMNIST ImageFolder MNIST"})
