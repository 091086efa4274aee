"""The numbers every case starts from: the same in every engine, because NumPy makes them from fixed seeds."""

import numpy as np


def small():
    """Return x, w, b, each 2x3 float64; w is close to 1, so that 500 products neither vanish nor blow up."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((2, 3)), rng.uniform(0.9, 1.0, (2, 3)), rng.uniform(-0.1, 0.1, (2, 3))


def digits(rows):
    """Return `rows` images of 784 pixels (float32) and their labels 0..9 (int64): noise to learn by heart."""
    rng = np.random.default_rng(1)
    return rng.random((rows, 784), dtype=np.float32), rng.integers(0, 10, rows)


def mlp_weights():
    """Return weights and biases of the 784-256-10 network, [in, out] as Paddle keeps them."""
    rng = np.random.default_rng(2)
    shapes = [(784, 256), (256,), (256, 10), (10,)]
    return [(0.05 * rng.standard_normal(shape)).astype("float32") for shape in shapes]


def lenet_weights():
    """Return weights and biases of LeNet-5: filters [out, in, 5, 5], dense layers [in, out], as Paddle keeps them."""
    rng = np.random.default_rng(5)
    shapes = [(6, 1, 5, 5), (6,), (16, 6, 5, 5), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10), (10,)]
    return [(0.1 * rng.standard_normal(shape)).astype("float32") for shape in shapes]


def tokens(batch, length, width):
    """Return sequences [batch, length, width] and the sequences to turn them into, both float32."""
    rng = np.random.default_rng(3)
    shape = (batch, length, width)
    return rng.standard_normal(shape).astype("float32"), rng.standard_normal(shape).astype("float32")


def heads():
    """Return queries and keys [batch, heads, places, width], float32."""
    rng = np.random.default_rng(4)
    shape = (4, 8, 64, 32)
    return rng.standard_normal(shape).astype("float32"), rng.standard_normal(shape).astype("float32")


def gaussians():
    """Return covariances [batch, width, width] and what was seen [batch, width, 1], both float64."""
    rng = np.random.default_rng(5)
    root = rng.standard_normal((8, 48, 48))
    return root @ root.swapaxes(-1, -2) + 48 * np.eye(48), rng.standard_normal((8, 48, 1))


def sequences():
    """Return sequences [batch, time, size] and what is to become of them, float32."""
    numbers = np.random.default_rng(7)
    return numbers.random((8, 20, 64), dtype=np.float32), numbers.random((8, 20, 128), dtype=np.float32) - 0.5


def images():
    """Return images [batch, channels, height, width], float32."""
    return np.random.default_rng(6).random((4, 3, 96, 96), dtype=np.float32)
