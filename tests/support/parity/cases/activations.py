"""Activations: values, gradients, slopes exactly at kinks, and ties of max and min."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, api, data, functional

F = paddle.nn.functional
cases = Family("activations")

ACTIVATIONS = {
    "relu": functional("relu"),
    "relu6": functional("relu6"),
    "leaky_relu": functional("leaky_relu"),
    "leaky_relu 0.2": lambda x: F.leaky_relu(x, negative_slope=0.2),
    "elu": functional("elu"),
    "elu 0.5": lambda x: F.elu(x, alpha=0.5),
    "gelu": functional("gelu"),
    "gelu approximate": lambda x: F.gelu(x, approximate=True),
    "sigmoid": functional("sigmoid"),
    "silu": functional("silu"),
    "softplus": functional("softplus"),
    "softplus beta": lambda x: F.softplus(x, beta=2, threshold=3),
    "softsign": functional("softsign"),
    "log_sigmoid": functional("log_sigmoid"),
    "tanh": functional("tanh"),
    "softmax": functional("softmax"),
    "softmax 0": lambda x: F.softmax(x, axis=0),
    "log_softmax": functional("log_softmax"),
    "log_softmax 0": lambda x: F.log_softmax(x, axis=0),
    "relu_ of a product": lambda x: F.relu_(x * 2),
}
for text, fn in ACTIVATIONS.items():
    cases.gradients(text, fn, data(3, 4, low=-7, high=7), single=True)
    cases.gradients(f"{text}, large", fn, np.array([[-30.0, -20, 21, 31], [-50, 0.5, 1.5, 12]]))
for text in ["relu", "gelu", "sigmoid", "softmax", "log_softmax"]:
    cases.gradients(f"{text} of 0-D", ACTIVATIONS[text], data())

KINKS = {
    "relu": functional("relu"),
    "abs": api("abs"),
    "sign": api("sign"),
    "relu6": functional("relu6"),
    "leaky_relu": functional("leaky_relu"),
    "elu": functional("elu"),
    "clip -1 1": lambda x: paddle.clip(x, -1, 1),
    "clip 0 6": lambda x: x.clip(0, 6),
    "maximum 0": lambda x: paddle.maximum(x, paddle.zeros_like(x)),
    "minimum 0": lambda x: paddle.minimum(x, paddle.zeros_like(x)),
}
for text, fn in KINKS.items():
    cases.gradients(f"kink {text}", fn, np.array([-1.0, 0, 1, 6]))

TIED = np.array([[2.0, 2, 1], [0, 2, 0], [1, 1, 1]])
TIES = {
    "max": api("max"),
    "min": api("min"),
    "amax": api("amax"),
    "amin": api("amin"),
    "max 1": lambda x: paddle.max(x, axis=1),
    "min 0": lambda x: paddle.min(x, axis=0),
    "amax 1": lambda x: paddle.amax(x, axis=1, keepdim=True),
    "amin 0": lambda x: paddle.amin(x, axis=0),
    "sort": lambda x: paddle.sort(x, axis=1),
    "argmax": lambda x: paddle.argmax(x, axis=1),
    "max_pool2d": lambda x: F.max_pool2d(x.reshape([1, 1, 3, 3]), 2, stride=1),
}
for text, fn in TIES.items():
    cases.gradients(f"ties {text}", fn, TIED)
for text in ["maximum", "minimum"]:
    cases.gradients(f"ties {text}", getattr(paddle, text), np.array([1.0, 2, 3]), np.array([1.0, 2, 0]))
cases.gradients("sqrt at 0", lambda x: paddle.sqrt(x), np.array([0.0, 4.0]))
cases.gradients("norm at 0", lambda x: paddle.norm(x), np.array([0.0, 0.0]))
cases.gradients("division by 0", lambda x, y: x / y, np.array([1.0, 0.0]), np.array([0.0, 0.0]))
cases.gradients("log at 0", api("log"), np.array([0.0, 1.0]))
cases.gradients("pow at 0", lambda x: x**2, np.array([0.0, 1.0]))
