"""`paddle.vision.transforms` of arrays (recorded where OpenCV is installed) and of tensors, with gradients.

pip install opencv-python-headless  # beside real Paddle, to record
"""

import random

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen

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


def drawn(transform, image, times=2):
    """What a transform makes of an image, several times, after both of Python's generators were seeded."""
    random.seed(5)
    np.random.seed(6)
    paddle.seed(7)
    found = [transform(image) for _ in range(times)]
    return close(one.numpy() if isinstance(one, paddle.Tensor) else one for one in found)


DRAWN = cases.table("drawn", globals())
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

OF_TENSORS = cases.table("of tensors", globals())
for text, call in OF_TENSORS.items():
    cases.add(
        f"tensor {text}", lambda call=call: call(frozen(PIXELS.astype("float32"))).numpy(), tolerance=1e-4
    )
BYTE_TENSOR = np.random.RandomState(1).randint(0, 256, (3, 4, 5)).astype("uint8")


def _tensors_of_bytes():
    x = frozen(BYTE_TENSOR)
    return close(one.numpy() for one in [T.adjust_hue(x, 0.2), T.adjust_hue(x, -0.5)])


cases.add("tensors of bytes", _tensors_of_bytes, tolerance=1 / 100)
