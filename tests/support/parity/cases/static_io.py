"""Section 15: saving and loading parameters, optimizer state, programs for inference."""

import os
import tempfile
import warnings

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, ones, types
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


def training_goes_on_after_load():
    _, y, exe = _trained("Adam")
    with tempfile.TemporaryDirectory() as directory:
        S.save(_main(), f"{directory}/model")
        first = [exe.run(feed={"x": X}, fetch_list=[y]) for _ in range(2)]
        S.load(_main(), f"{directory}/model", exe)
        return first, [exe.run(feed={"x": X}, fetch_list=[y]) for _ in range(2)]


def without_an_executor():
    _trained()
    with tempfile.TemporaryDirectory() as directory:
        S.save(_main(), f"{directory}/model")
        before = held("fc_0.b_0")
        S.global_scope().find_var("fc_0.b_0").get_tensor().set(ones(2), paddle.CPUPlace())
        S.load(_main(), f"{directory}/model")
        return before, held("fc_0.b_0")


def empty_file_names():
    _trained()
    with tempfile.TemporaryDirectory() as directory:
        return [
            raises(lambda path=path: S.save(_main(), path), "model_path") for path in ("", f"{directory}/")
        ]


def fails(call):
    """Whether the call raises at all."""
    return raises(call).kind is not None


def missing_files():
    _, _, exe = _trained()
    with tempfile.TemporaryDirectory() as directory:
        calls = (
            lambda: S.load(_main(), f"{directory}/none", exe),
            lambda: S.load_inference_model(f"{directory}/none", exe),
        )
        return [fails(call) for call in calls]


@cases.ours(True)
def missing_program_state():
    with tempfile.TemporaryDirectory() as directory:
        return fails(lambda: S.load_program_state(f"{directory}/none"))


def state_dict():
    _trained()
    found = [sorted(_main().state_dict(mode)) for mode in ("all", "param", "opt")]
    values = {name: np.array(tensor) for name, tensor in _main().state_dict().items()}
    return found, values, sorted(_main().state_dict()) == found[0]


def state_dict_errors():
    _trained()
    return raises(lambda: _main().state_dict("x"), "mode"), raises(lambda: _main().state_dict(3), "mode")


def state_dict_before_startup():
    S.nn.fc(feed("x", -1, 3), 2)
    return raises(_main().state_dict, "fc_0.w_0")


def set_state_dict():
    _trained()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _main().set_state_dict({"fc_0.b_0": np.array([7.0, 8.0], "float32"), "stranger": X})
    return held("fc_0.b_0"), held("fc_0.w_0"), any("stranger" in str(one.message) for one in caught)


def paddle_save_and_load():
    _trained()
    with tempfile.TemporaryDirectory() as directory:
        paddle.save(_main().state_dict(), f"{directory}/state.pdparams")
        S.global_scope().find_var("fc_0.b_0").get_tensor().set(ones(2), paddle.CPUPlace())
        _main().set_state_dict(paddle.load(f"{directory}/state.pdparams"))
    return held("fc_0.b_0"), held("fc_0.w_0_velocity_0")


def set_program_state():
    _trained()
    S.set_program_state(_main(), {"fc_0.b_0": np.array([7.0, 8.0], "float32")})
    return held("fc_0.b_0")


def set_program_state_of_another_shape():
    _trained()
    return raises(lambda: S.set_program_state(_main(), {"fc_0.b_0": ones(3)}), "shape")


def exported(directory, feeds, fetches, exe):
    """Save for inference and load in a new scope."""
    S.save_inference_model(f"{directory}/made/model", feeds, fetches, exe)
    return S.load_inference_model(f"{directory}/made/model", exe)


def inference_model():
    x, y, exe = _trained()
    with tempfile.TemporaryDirectory() as directory:
        program, feeds, fetches = exported(directory, [x], [y], exe)
        written = files(directory)
    kept = [kind for kind in types(program.global_block()) if kind not in ("feed", "fetch", "scale")]
    values = exe.run(program, feed={feeds[0]: ones(2, 3)}, fetch_list=fetches)
    shape = [list(variable.shape) for variable in fetches]
    return written, type(program).__name__, feeds, shape, kept, values, exe.run(feed={"x": X}, fetch_list=[y])


def inference_model_in_a_new_scope():
    x, y, exe = _trained()
    expected = exe.run(_main().clone(for_test=True), feed={"x": X}, fetch_list=[y.name])
    with tempfile.TemporaryDirectory() as directory:
        S.save_inference_model(f"{directory}/model", [x], [y], exe, program=_main().clone(for_test=True))
        with S.scope_guard(S.Scope()):
            program, feeds, fetches = S.load_inference_model(f"{directory}/model", exe)
            found = exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)
    return expected, found


def inference_model_of_single_variables():
    x, y, exe = _trained()
    with tempfile.TemporaryDirectory() as directory:
        program, feeds, fetches = exported(directory, x, y, exe)
    return feeds, len(fetches), exe.run(program, feed={"x": X}, fetch_list=fetches)


def inference_model_keeps_only_what_the_fetches_need():
    x = feed("x", -1, 3, stop=True)
    hidden = S.nn.fc(x, 2, weight_attr=constant(0.5))
    paddle.exp(S.nn.fc(hidden, 4))
    exe = S.Executor()
    exe.run(S.default_startup_program())
    with tempfile.TemporaryDirectory() as directory:
        program, _, fetches = exported(directory, [x], [hidden], exe)
    parameters = [p.name for p in program.list_vars() if p.persistable and p.name not in ("feed", "fetch")]
    return sorted(parameters), exe.run(program, feed={"x": X}, fetch_list=fetches)


@cases.ours(True)
def inference_model_leaves_the_users_program_alone():
    x, y, exe = _trained()
    before = types()
    with tempfile.TemporaryDirectory() as directory:
        exported(directory, [x], [y], exe)
    return types() == before


def inference_model_with_a_pylayer():
    x = feed("x", 2)
    y = S.nn.static_pylayer(lambda t: paddle.exp(t) * 2.0, [x], lambda d: d * 3.0)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    with tempfile.TemporaryDirectory() as directory:
        program, feeds, fetches = exported(directory, [x], [y], exe)
    kept = [types(block) for block in program.blocks[1:]]
    return program.num_blocks, kept, exe.run(program, feed={feeds[0]: ones(2)}, fetch_list=fetches)


def inference_model_errors():
    x, y, exe = _trained()
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/model"
        return [
            raises(lambda: S.save_inference_model(path, ["x"], [y], exe), "feed_vars"),
            raises(lambda: S.save_inference_model(path, "x", [y], exe), "feed_vars"),
            raises(lambda: S.save_inference_model(path, [x], ["y"], exe), "fetch_vars"),
            raises(lambda: S.save_inference_model(path, [x], 3, exe), "fetch_vars"),
        ]
