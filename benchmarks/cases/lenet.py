"""LeNet-5 on 32 images of 28x28: one step of training with SGD; convolution and pooling do the work."""

import paddle
import paddle.nn.functional as F
from paddle import nn

from benchmarks import data


def setup():
    net = nn.Sequential(
        nn.Conv2D(1, 6, 5, padding=2),  # [32, 6, 28, 28]
        nn.ReLU(),
        nn.MaxPool2D(2),  # [32, 6, 14, 14]
        nn.Conv2D(6, 16, 5),  # [32, 16, 10, 10]
        nn.ReLU(),
        nn.MaxPool2D(2),  # [32, 16, 5, 5]
        nn.Flatten(),  # [32, 400]
        nn.Linear(400, 120),
        nn.ReLU(),
        nn.Linear(120, 84),
        nn.ReLU(),
        nn.Linear(84, 10),
    )
    for parameter, weights in zip(net.parameters(), data.lenet_weights()):
        parameter.set_value(weights)
    optimizer = paddle.optimizer.SGD(learning_rate=0.05, parameters=net.parameters())
    pixels, classes = data.digits(32)
    images, labels = paddle.to_tensor(pixels.reshape(32, 1, 28, 28)), paddle.to_tensor(classes)

    def step():
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step
