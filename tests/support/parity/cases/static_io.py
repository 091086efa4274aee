"""Section 15: saving and loading parameters, optimizer state, programs for inference."""

import os
import tempfile

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, ones
from tests.support.parity.kit import Family, raises

cases = Family("static_io")
X = ones(1, 3)


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


def held(name):
    """The numbers of a variable in the scope."""
    return np.array(S.global_scope().find_var(name).get_tensor())


def _trained(optimizer="Momentum"):
    """A layer after one step; its placeholder, its output, and the executor."""
    x = feed("x", -1, 3, stop=True)
    y = S.nn.fc(x, 2, weight_attr=constant(0.5))
    getattr(paddle.optimizer, optimizer)(0.1).minimize(paddle.mean(y))
    exe = S.Executor()
    exe.run(S.default_startup_program())
    exe.run(feed={"x": X})
    return x, y, exe


def _main():
    return S.default_main_program()


def files(directory):
    """All files below, as relative paths with slashes."""
    found = [os.path.join(path, name) for path, _, names in os.walk(directory) for name in names]
    return sorted(os.path.relpath(path, directory).replace(os.sep, "/") for path in found)


def save():
    _trained()
    with tempfile.TemporaryDirectory() as directory:
        S.save(_main(), f"{directory}/made/on/the/way/model")
        return files(directory), S.load_program_state(f"{directory}/made/on/the/way/model")


def load():
    _, _, exe = _trained()
    with tempfile.TemporaryDirectory() as directory:
        S.save(_main(), f"{directory}/model")
        exe.run(feed={"x": X})
        later = held("fc_0.b_0"), held("fc_0.b_0_velocity_0")
        S.load(_main(), f"{directory}/model", exe)
        return later, held("fc_0.b_0"), held("fc_0.b_0_velocity_0"), held("fc_0.w_0")


def fails(call):
    """Whether the call raises at all."""
    return raises(call).kind is not None


def exported(directory, feeds, fetches, exe):
    """Save for inference and load in a new scope."""
    S.save_inference_model(f"{directory}/made/model", feeds, fetches, exe)
    return S.load_inference_model(f"{directory}/made/model", exe)
