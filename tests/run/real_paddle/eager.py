"""Every optimizer class that both engines have, each on a layer of its own."""

import numpy as np
import paddle

x = paddle.to_tensor(np.array([[0.5, -1.0], [1.5, 0.25]], "float32"))
for name in ("SGD", "Momentum", "Adagrad", "Adadelta", "RMSProp", "Adam", "Adamax", "AdamW"):
    layer = paddle.nn.Linear(2, 2)
    optimizer = getattr(paddle.optimizer, name)(learning_rate=0.1, parameters=layer.parameters())
    for _ in range(2):
        (paddle.tanh(layer(x)) ** 2).mean().backward()
        optimizer.step()
        optimizer.clear_grad()
