"""paddle.vision.models: networks for images, with Paddle's names, shapes and keys in their state dicts.

Read first: ``lenet.py``; ``resnet.py`` is the one most scripts use.
"""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "lenet": "LeNet",
        "mobilenetv2": "MobileNetV2 mobilenet_v2",
        "resnet": "ResNet resnet18 resnet34 resnet50 resnet101 resnet152",
        "vgg": "VGG vgg11 vgg13 vgg16 vgg19",
    },
)
