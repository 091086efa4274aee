"""`paddle.vision.transforms` of arrays (recorded where OpenCV is installed) and of tensors, with gradients.

pip install opencv-python-headless  # beside real Paddle, to record
"""

import random

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, raises

T = paddle.vision.transforms
cases = Family("vision_transforms")
BYTES = np.random.RandomState(0).randint(0, 256, (4, 6, 3)).astype("uint8")
FLOATS = data(4, 6, 3, low=0, high=255).astype("float32")
GREY = BYTES[:, :, 0]
PIXELS = data(3, 5, 6, low=0.0, high=1.0)


def close(images):
    """Numbers that may differ by one of 255: OpenCV computes some bytes in parts of 2048 or 32."""
    return [np.asarray(image).astype("float32") for image in images]


WAYS = ("nearest", "bilinear", "bicubic")
SIZES = ((3, 5), (5, 8), (3, 8), 3, 6)
for way in WAYS:
    for text, image in {"bytes": BYTES, "floats": FLOATS, "grey": GREY}.items():
        cases.add(
            f"resize {way} {text}",
            lambda way=way, image=image: close(T.resize(image, size, way) for size in SIZES),
            tolerance=1 / 100,
        )
for way in ("nearest", "bilinear", "bicubic"):
    for angle in (31, 90, -45.5):
        cases.add(
            f"rotate {way} {angle}",
            lambda way=way, angle=angle: close(
                [
                    T.rotate(BYTES, angle, way), T.rotate(FLOATS, angle, way, expand=True, fill=9),
                    T.rotate(GREY, angle, way), T.rotate(FLOATS, angle, way, center=(3.2, 4.1), fill=(1, 2, 3)),
                ]
            ),
            tolerance=1 / 100,
        )  # fmt: skip


def pieces():
    return [
        T.crop(BYTES, 1, 2, 3, 4), T.center_crop(BYTES, 4), T.center_crop(FLOATS, (3, 4)), T.hflip(BYTES),
        T.vflip(GREY),
        T.vflip(BYTES), T.Transpose()(BYTES), T.Transpose((1, 0, 2))(GREY),
    ]  # fmt: skip


def borders():
    found = [T.pad(BYTES, (1, 2, 3, 4), 7, mode) for mode in ("constant", "edge", "reflect", "symmetric")]
    return [*found, T.pad(FLOATS, 2, (1, 2, 3)), T.pad(GREY, [1, 2], 5), T.pad(BYTES[:, :, :1], 1, 9)]


def colours():
    found = [fn(BYTES, by) for by in (0.3, 1.7) for fn in (T.adjust_brightness, T.adjust_contrast)]
    found += [T.adjust_brightness(FLOATS, 1.2), T.adjust_brightness(GREY, 0.5)]
    found += [T.adjust_hue(BYTES, by) for by in (-0.3, 0, 0.1, 0.5)]
    return [*found, T.to_grayscale(BYTES), T.to_grayscale(BYTES, 3)]


def numbers():
    return [
        T.to_grayscale(FLOATS), T.normalize(FLOATS, [1, 2, 3], [4, 5, 6], "HWC", to_rgb=True),
        T.Normalize(mean=127.5, std=[1, 2, 3])(BYTES.transpose(2, 0, 1)), T.to_tensor(BYTES), T.to_tensor(GREY),
        T.to_tensor(FLOATS, "HWC"), T.ToTensor()(np.arange(6).reshape(2, 3)), T.adjust_hue(FLOATS, 0.2),
    ]  # fmt: skip


def drawn(transform, image, times=2):
    """What a transform makes of an image, several times, after both of Python's generators were seeded."""
    random.seed(5)
    np.random.seed(6)
    paddle.seed(7)
    found = [transform(image) for _ in range(times)]
    return close(one.numpy() if isinstance(one, paddle.Tensor) else one for one in found)


DRAWN = {
    "RandomResizedCrop": lambda: T.RandomResizedCrop(4, interpolation="nearest"),
    "RandomResizedCrop narrow": lambda: T.RandomResizedCrop((4, 3), (0.9, 1), (0.1, 0.2), "nearest"),
    "RandomCrop": lambda: T.RandomCrop(3),
    "RandomCrop padded": lambda: T.RandomCrop((5, 9), 1, pad_if_needed=True, fill=3),
    "RandomHorizontalFlip": T.RandomHorizontalFlip,
    "RandomVerticalFlip": lambda: T.RandomVerticalFlip(0.4),
    "BrightnessTransform": lambda: T.BrightnessTransform(0.4),
    "ContrastTransform": lambda: T.ContrastTransform(0.4),
    "RandomRotation": lambda: T.RandomRotation(40, fill=2),
}
for text, make in DRAWN.items():
    cases.add(text, lambda make=make: drawn(make(), BYTES), tolerance=1 / 100)
    cases.add(
        f"{text} of a tensor",
        lambda make=make: drawn(make(), frozen(PIXELS.astype("float32"))),
        tolerance=1e-4,
    )
for text, transform in {
    "SaturationTransform": lambda: T.SaturationTransform(0.4),
    "HueTransform": lambda: T.HueTransform(0.4),
    "ColorJitter": lambda: T.ColorJitter(0.4, 0.3, 0.2, 0.1),
}.items():
    cases.add(text, lambda make=transform: drawn(make(), BYTES), tolerance=1 / 100)
    cases.add(
        f"{text} of a tensor",
        lambda make=transform: drawn(make(), frozen(PIXELS.astype("float32"))),
        tolerance=1e-4,
    )

OF_TENSORS = {
    "resize": lambda x: T.resize(x, (3, 8)),
    "resize nearest": lambda x: T.resize(x, 7, "nearest"),
    "pad": lambda x: T.pad(x, (1, 2, 0, 1), 0.5),
    "pad edge": lambda x: T.pad(x, 1, padding_mode="edge"),
    "pad reflect": lambda x: T.pad(x, [1, 2], padding_mode="reflect"),
    "crop": lambda x: T.crop(x, 1, 2, 3, 2),
    "center_crop": lambda x: T.center_crop(x, 3),
    "hflip": T.hflip,
    "vflip": T.vflip,
    "brightness": lambda x: T.adjust_brightness(x, 0.7),
    "contrast": lambda x: T.adjust_contrast(x, 0.7),
    "saturation": lambda x: T.functional.adjust_saturation(x, 0.6),
    "hue": lambda x: T.adjust_hue(x, 0.2),
    "rotate wide": lambda x: T.rotate(x, 70, "nearest", True, (1, 2), 0.5),
    "grey": lambda x: T.to_grayscale(x, 3),
    "normalize": lambda x: T.normalize(x, [0.1, 0.2, 0.3], [0.5, 0.6, 0.7]),
    "to_tensor": lambda x: T.to_tensor(x, "HWC"),
}  # fmt: skip
for text, call in OF_TENSORS.items():
    cases.add(
        f"tensor {text}", lambda call=call: call(frozen(PIXELS.astype("float32"))).numpy(), tolerance=1e-4
    )
BYTE_TENSOR = np.random.RandomState(1).randint(0, 256, (3, 4, 5)).astype("uint8")


def _tensors_of_bytes():
    x = frozen(BYTE_TENSOR)
    return close(one.numpy() for one in [T.adjust_hue(x, 0.2), T.adjust_hue(x, -0.5)])


cases.add("tensors of bytes", _tensors_of_bytes, tolerance=1 / 100)


def chains():
    class Twice(T.BaseTransform):
        def _get_params(self, inputs):
            return len(inputs)

        def _apply_image(self, image):
            return image * self.params

        def _apply_boxes(self, boxes):
            return boxes + 1

    twice = Twice(keys=("image", "boxes"))
    return {
        "repr": repr(T.Compose([1, 2])),
        "chain": T.Compose([T.CenterCrop(4), T.Transpose(), T.Normalize(1.0, 2.0)])(BYTES),
        "parts": twice((np.ones(2), np.zeros(2), "rest")),
        "one": twice(np.ones(2)),
        "stay": T.HueTransform(0)(BYTES).sum(),
    }


def refused():
    x, image = frozen(PIXELS), BYTES
    calls = {
        "kind": (lambda: T.resize([1, 2], 3), "should be PIL Image"),
        "to_tensor": (lambda: T.to_tensor("a"), "pic should be"),
        "format": (lambda: T.to_tensor(image, "NCHW"), "data_format"),
        "size": (lambda: T.resize(image, (1, 2, 3)), "inappropriate size"),
        "padding": (lambda: T.pad(image, "1"), "inappropriate padding"),
        "paddings": (lambda: T.pad(image, (1, 2, 3)), "2, or 4 element"),
        "mode": (lambda: T.pad(image, 1, padding_mode="wrap"), "Padding mode"),
        "hue": (lambda: T.adjust_hue(image, 0.7), "hue_factor"),
        "hue tensor": (lambda: T.adjust_hue(x, 0.7), "hue_factor"),
        "grey": (lambda: T.to_grayscale(image, 2), "num_output_channels"),
        "brightness": (lambda: T.adjust_brightness(x, -1), "non-negative"),
        "flat tensor": (lambda: T.hflip(frozen(data(3, 4))), "ndim=2"),
        "keys": (lambda: T.Resize(3, keys=3), "keys should be a sequence"),
        "key": (lambda: T.Resize(3, keys=("sound",)), "unsupported data structure"),
        "boxes": (lambda: T.Resize(3, keys=("boxes",))(image), ""),
        "prob": (lambda: T.RandomHorizontalFlip(2), "probability"),
        "degrees": (lambda: T.RandomRotation(-1), "must be positive"),
        "jitter": (lambda: T.BrightnessTransform(-1), "non negative"),
        "jitter pair": (lambda: T.HueTransform((-1, 1)), "between"),
        "jitter type": (lambda: T.BrightnessTransform("a"), "single number"),
        "contrast": (lambda: T.ContrastTransform(-1), "contrast"),
        "crop size": (lambda: T.RandomResizedCrop(3, (1, 0.5)), "(min, max)"),
        "backend": (lambda: paddle.vision.set_image_backend("gif"), "Expected backend"),
    }
    return {name: raises(call, words) for name, (call, words) in calls.items()}


def backends():
    before = paddle.vision.get_image_backend()
    paddle.vision.set_image_backend("cv2")
    now = paddle.vision.get_image_backend()
    paddle.vision.set_image_backend(before)
    return [before, now, paddle.vision.get_image_backend()]
