"""Activations: values, gradients, slopes exactly at kinks, and ties of max and min."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, api, data

F = paddle.nn.functional
cases = Family("activations")

ACTIVATIONS = cases.table("activations", globals())
for text, fn in ACTIVATIONS.items():
    cases.gradients(text, fn, data(3, 4, low=-7, high=7), single=True)
    cases.gradients(f"{text}, large", fn, np.array([[-30.0, -20, 21, 31], [-50, 0.5, 1.5, 12]]))
for text in ["relu", "gelu", "sigmoid", "softmax", "log_softmax"]:
    cases.gradients(f"{text} of 0-D", ACTIVATIONS[text], data())

KINKS = cases.table("kinks", globals())
for text, fn in KINKS.items():
    cases.gradients(f"kink {text}", fn, np.array([-1.0, 0, 1, 6]))

TIED = np.array([[2.0, 2, 1], [0, 2, 0], [1, 1, 1]])
TIES = cases.table("ties", globals())
for text, fn in TIES.items():
    cases.gradients(f"ties {text}", fn, TIED)
for text in ["maximum", "minimum"]:
    cases.gradients(f"ties {text}", getattr(paddle, text), np.array([1.0, 2, 3]), np.array([1.0, 2, 0]))
cases.gradients("sqrt at 0", lambda x: paddle.sqrt(x), np.array([0.0, 4.0]))
cases.gradients("norm at 0", lambda x: paddle.norm(x), np.array([0.0, 0.0]))
cases.gradients("division by 0", lambda x, y: x / y, np.array([1.0, 0.0]), np.array([0.0, 0.0]))
cases.gradients("log at 0", api("log"), np.array([0.0, 1.0]))
cases.gradients("pow at 0", lambda x: x**2, np.array([0.0, 1.0]))
