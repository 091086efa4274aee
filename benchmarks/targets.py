"""The cases, and how fast minipaddle is to be in each: the largest ratio of its time to another engine's."""

from typing import NamedTuple

QUICKER_PADDLE = "the quicker Paddle"  # of those that can run the case


class Case(NamedTuple):
    name: str
    title: str
    targets: dict


CASES = [
    Case("tanh", "custom tanh, PyLayer, 2x3", {"paddle": 0.7}),
    Case("chain", "chain of 1,000 small ops", {"paddle": 0.55, "torch": 0.8}),
    Case("mlp_sgd", "MLP 784-256-10, batch 64, SGD", {"paddle": 0.35, "numpy": 1.15}),
    Case("mlp_adam", "the same MLP, Adam", {"paddle": 0.5}),
    Case("lenet", "LeNet, batch 32, SGD", {"paddle": 1.0, "numpy": 1.15}),
    Case("attention", "attention block, Adam", {"paddle": 0.6}),
    Case("einsum", "einsum, two batches of products", {"paddle": 1.5, "numpy": 1.5}),
    Case("linalg", "solve and Cholesky, 8 of 48x48", {"paddle": 1.5, "numpy": 1.5}),
    Case("interpolate", "bilinear, 4 of 96x96 to twice that", {"paddle": 1.5}),
    Case("interpolate_modes", "every mode of interpolate, 18 images", {"paddle": 1.5}),
    Case("lstm", "LSTM 64-128, 8 of 20 steps, SGD", {"paddle": 1.5}),
    Case("static_mlp_sgd", "the MLP as a Program, SGD", {QUICKER_PADDLE: 0.3, "numpy": 1.15}),
    Case("static_pylayer", "static_pylayer 1x5 and gradient", {QUICKER_PADDLE: 0.1}),
    Case("static_py_func", "py_func 2x3 and gradient", {QUICKER_PADDLE: 0.1}),
    Case("static_chain", "Program of 1,000 ops and gradients", {QUICKER_PADDLE: 0.15}),
    Case("static_build", "building that Program", {QUICKER_PADDLE: 0.6}),
]
