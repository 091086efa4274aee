"""One training step of a ResNet-18, out of `nn` layers, on which `check` is measured: resnet18.py [SIDE OF IMAGES]."""

import sys

import paddle
import paddle.nn.functional as F
from paddle import nn


class Block(nn.Layer):
    """Two convolutions around a shortcut."""

    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2D(before, after, 3, stride=stride, padding=1, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(after)
        self.conv2 = nn.Conv2D(after, after, 3, padding=1, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(after)
        self.short = nn.Sequential()
        if stride != 1 or before != after:
            self.short = nn.Sequential(
                nn.Conv2D(before, after, 1, stride=stride, bias_attr=False), nn.BatchNorm2D(after)
            )

    def forward(self, x):
        """Return what comes of a batch of images."""
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.short(x))


class ResNet18(nn.Layer):
    """A stem, eight blocks, and a linear layer."""

    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2D(3, 64, 7, stride=2, padding=3, bias_attr=False),
            nn.BatchNorm2D(64),
            nn.ReLU(),
            nn.MaxPool2D(3, 2, 1),
        )
        sizes = [(64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)]
        pairs = [(Block(before, after, stride), Block(after, after, 1)) for before, after, stride in sizes]
        self.blocks = nn.Sequential(*[block for pair in pairs for block in pair])
        self.head = nn.Linear(512, classes)

    def forward(self, x):
        """Return the scores of each class."""
        h = self.blocks(self.stem(x))
        return self.head(F.adaptive_avg_pool2d(h, 1).flatten(1))


paddle.seed(0)
side = int(sys.argv[1]) if len(sys.argv) > 1 else 64
net = ResNet18()
opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
images = paddle.randn([2, 3, side, side])
loss = F.cross_entropy(net(images), paddle.to_tensor([1, 3]))
loss.backward()
opt.step()
print(float(loss))
