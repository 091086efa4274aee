"""Checkpoints and saved Programs with damage drawn from seeds: loaded, or refused by a ValueError with the reason."""

import json
import random
from contextlib import contextmanager

import pytest

from minipaddle import paddle
from minipaddle.paddle import jit, static
from tests.support.mutator import mutated_bytes, mutated_json

SEEDS = 25


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder with files of save, static.save, save_inference_model and jit.save; and the Program."""
    folder = tmp_path_factory.mktemp("saved")
    net = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    net(paddle.ones([1, 2])).sum().backward()
    optimizer.step()
    paddle.save(net.state_dict(), str(folder / "net.pdparams"))
    paddle.save(optimizer.state_dict(), str(folder / "net.pdopt"))
    spec = static.InputSpec([None, 2], "float32")
    jit.save(jit.to_static(paddle.nn.Linear(2, 2), input_spec=[spec]), str(folder / "jit"))
    main, startup = static.Program(), static.Program()
    with static_mode(), static.program_guard(main, startup):
        x = static.data("x", [None, 2], "float32")
        y = static.nn.cond(x.sum() > 0, lambda: static.nn.fc(x, 2), lambda: x * 2)
        exe = static.Executor()
        exe.run(startup)
        static.save_inference_model(str(folder / "inference"), [x], [y], exe)
        static.save(main, str(folder / "static"))
    return folder, main


@contextmanager
def static_mode():
    paddle.enable_static()
    try:
        with static.scope_guard(static.Scope()):
            yield
    finally:
        paddle.disable_static()


def load_inference_model(folder, main):
    exe = static.Executor()
    with static_mode():
        program, feeds, fetches = static.load_inference_model(str(folder / "inference"), exe)
        str(program)
        assert len(feeds) + len(fetches) == 2


def load_static(folder, main):
    with static_mode():
        static.load(main, str(folder / "static"), static.Executor())


LOADERS = {
    "net.pdparams": lambda folder, main: paddle.load(str(folder / "net.pdparams")),
    "net.pdopt": lambda folder, main: paddle.load(str(folder / "net.pdopt")),
    "jit.pdmodel": lambda folder, main: jit.load(str(folder / "jit")),
    "jit.pdiparams": lambda folder, main: jit.load(str(folder / "jit")),
    "inference.pdmodel": load_inference_model,
    "inference.pdiparams": load_inference_model,
    "static.pdparams": load_static,
}


@pytest.mark.parametrize("part", ["body", "grad_bodies"])
def test_an_operator_that_runs_what_is_no_block_is_refused_with_the_file(saved, tmp_path, part):
    """It was read, and told of by an AttributeError of a run."""
    folder, main = saved
    data = json.loads((folder / "inference.pdmodel").read_bytes())
    (holder, *_) = [one["parts"] for one in data["blocks"][0]["operators"] if part in one["parts"]]
    for junk in (None, 0, "x", [], [[]], [None], [0], [["x"]], [99], {"variable": "x"}, {"block": 99}):
        if part == "grad_bodies" and junk == []:
            continue
        holder[part] = junk
        (tmp_path / "inference.pdmodel").write_text(json.dumps(data), encoding="utf-8")
        with pytest.raises(ValueError, match=r"inference\.pdmodel"):
            load_inference_model(tmp_path, main)


@pytest.mark.parametrize("name", LOADERS)
def test_damage_is_refused_with_a_sentence(saved, tmp_path, name):
    folder, main = saved
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    whole = (tmp_path / name).read_bytes()
    refused = []
    for seed in range(SEEDS):
        draw = random.Random(f"{name} {seed}")
        as_json = name.endswith(".pdmodel") and draw.random() < 0.8
        changed = (
            json.dumps(mutated_json(json.loads(whole), draw)).encode()
            if as_json
            else mutated_bytes(whole, draw)
        )
        (tmp_path / name).write_bytes(changed)
        try:
            LOADERS[name](tmp_path, main)
        except ValueError as error:
            refused.append(str(error))
    assert refused
    assert all(name.partition(".")[0] in text or "<BytesIO>" in text for text in refused)
    (tmp_path / name).write_bytes(whole)
    LOADERS[name](tmp_path, main)  # a refused file has broken nothing
