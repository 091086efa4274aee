"""paddle.vision: networks for images, what is done to images before, and their data sets.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/Overview_en.html. Each room is loaded when it is
asked for: ``models``, ``transforms``, ``datasets``.
"""

from minipaddle.engine.operator.lazy_loading import front

__all__ = ["datasets", "image", "models", "transforms"]
__getattr__ = front(
    globals(),
    {
        "models": """LeNet MobileNetV2 ResNet VGG mobilenet_v2 resnet18 resnet34 resnet50 resnet101 resnet152
        vgg11 vgg13 vgg16 vgg19""",
        "datasets": "Cifar10 Cifar100 DatasetFolder FashionMNIST ImageFolder MNIST",
        "image": "get_image_backend image_load set_image_backend",
        "transforms": """BaseTransform BrightnessTransform CenterCrop ColorJitter Compose ContrastTransform
        Grayscale HueTransform Normalize Pad RandomCrop RandomHorizontalFlip RandomResizedCrop RandomRotation
        RandomVerticalFlip Resize SaturationTransform ToTensor Transpose adjust_brightness adjust_contrast
        adjust_hue center_crop crop hflip normalize pad resize rotate to_grayscale to_tensor vflip""",
    },
)
