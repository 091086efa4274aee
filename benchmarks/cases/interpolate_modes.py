"""Images of another size in every mode, larger and smaller, forward and backward."""

import paddle

from benchmarks import data

TWO_AXES = [("nearest", False), ("bilinear", False), ("bilinear", True), ("bicubic", False), ("area", False)]


def setup():
    images = paddle.to_tensor(data.images(), stop_gradient=False)

    def step():
        images.clear_grad()
        resize = paddle.nn.functional.interpolate
        made = [
            resize(images, size=size, mode=mode, align_corners=corners)
            for mode, corners in TWO_AXES
            for size in ([192, 192], [48, 48], [61, 77])
        ]
        made.append(resize(images.reshape([4, 3, -1]), size=[4608], mode="linear", data_format="NCW"))
        volumes = images.reshape([4, 3, 8, 24, 48])
        made.append(resize(volumes, size=[16, 24, 24], mode="trilinear", data_format="NCDHW"))
        made.append(resize(volumes, size=[16, 24, 24], mode="nearest", data_format="NCDHW"))
        paddle.add_n([one.mean() for one in made]).backward()
        return images.grad.sum()

    return step
