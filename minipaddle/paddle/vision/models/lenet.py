"""LeNet, for images of digits (LeCun, Bottou, Bengio and Haffner, 1998)."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn import Conv2D, Layer, Linear, MaxPool2D, ReLU, Sequential


class LeNet(Layer):
    """Two convolutions and three matrices; images [N, 1, 28, 28] become scores [N, num_classes].

    Args:
        num_classes: the number of classes; 0 leaves out the matrices.
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = Sequential(
            Conv2D(1, 6, 3, stride=1, padding=1),
            ReLU(),
            MaxPool2D(2, 2),
            Conv2D(6, 16, 5, stride=1, padding=0),
            ReLU(),
            MaxPool2D(2, 2),
        )
        if num_classes > 0:
            self.fc = Sequential(Linear(400, 120), Linear(120, 84), Linear(84, num_classes))

    def forward(self, inputs: Any) -> Any:
        """Return the scores of each class; without classes the output of the convolutions."""
        x = self.features(inputs)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x
