"""paddle.vision: networks for images, what is done to images before, their data sets, and boxes around objects.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/Overview_en.html. Each room is loaded when it is
asked for: ``models``, ``transforms``, ``datasets``, ``ops``.
"""

from minipaddle.engine.core.later import front

__all__ = ["datasets", "image", "models", "ops", "transforms"]
__getattr__ = front(
    globals(),
    {
        "models": """AlexNet DenseNet GoogLeNet InceptionV3 LeNet MobileNetV1 MobileNetV2 MobileNetV3Large
        MobileNetV3Small ResNet ShuffleNetV2 SqueezeNet VGG alexnet densenet121 densenet161 densenet169
        densenet201 densenet264 googlenet inception_v3 mobilenet_v1 mobilenet_v2 mobilenet_v3_large
        mobilenet_v3_small resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext50_64x4d
        resnext101_32x4d resnext101_64x4d resnext152_32x4d resnext152_64x4d shufflenet_v2_swish
        shufflenet_v2_x0_25 shufflenet_v2_x0_33 shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5
        shufflenet_v2_x2_0 squeezenet1_0 squeezenet1_1 vgg11 vgg13 vgg16 vgg19 wide_resnet50_2 wide_resnet101_2""",
        "datasets": "Cifar10 Cifar100 DatasetFolder FashionMNIST Flowers ImageFolder MNIST VOC2012",
        "image": "get_image_backend image_load set_image_backend",
        "transforms": """BaseTransform BrightnessTransform CenterCrop ColorJitter Compose ContrastTransform
        Grayscale HueTransform Normalize Pad RandomCrop RandomHorizontalFlip RandomResizedCrop RandomRotation
        RandomVerticalFlip Resize SaturationTransform ToTensor Transpose adjust_brightness adjust_contrast
        adjust_hue center_crop crop hflip normalize pad resize rotate to_grayscale to_tensor vflip""",
        "ops": "",
    },
)
