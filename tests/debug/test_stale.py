"""What a script may have made otherwise, had it read the changed number, is marked; the rest is what it would be."""

import json
import re
import runpy

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import card, event_object
from minipaddle.tools.debug.what_if import Forks
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import load, save
from minipaddle.tools.words.symbols import ASCII


def network(seed, first):
    """A random training that reads numbers here and there, and goes by them."""
    random = np.random.default_rng(seed)
    scale = [0.5, 2.0]
    w = paddle.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Assign(first))
    x = paddle.to_tensor(random.normal(size=(3, 2)).astype("f4"))
    optimizer = paddle.optimizer.SGD(0.1, parameters=[w])
    for _ in range(2):
        h = x @ w
        for kind in random.integers(0, 8, 3):
            if kind == 0:
                h = h * 2 if h.sum().item() > random.normal() else h * 3
            elif kind == 1:
                h = h * paddle.to_tensor(scale[int(h.mean() > 0)])
            elif kind == 2:
                h = h / float(h.abs().max())
            elif kind == 3:
                h = h * 0.5
            elif kind == 4:
                h = h + paddle.to_tensor(h.numpy() * 0.5)
            elif kind == 5:
                h = paddle.tanh(h)
            elif kind == 6:
                h = paddle.nn.functional.relu(h) + x
            elif bool(h.min() > -0.5):
                h = h - paddle.full([2], 0.25)
            else:
                h = h + paddle.full([2], 0.25)
        loss = (h * h).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


def forked(record, script, name, array, *event):
    session = Session(record(script))
    for target in event:
        session.goto(target)
    return session, Forks(session).set(name, array)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_not_marked_is_what_the_changed_script_gives(record, seed):
    random = np.random.default_rng(seed + 100)
    first, other = random.normal(size=(2, 2, 2)).astype("f4")
    _, fork = forked(record, lambda: network(seed, first), "w", other)
    wanted = record(lambda: network(seed, other)).values
    certain = [value for value in fork.trace.values if value.stale is None]
    assert any(value.name == "h" for value in certain)
    for value in certain:
        np.testing.assert_array_equal(value.array, wanted[value.id].array)


def two_steps(report):
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    c = paddle.to_tensor([3.0])
    h = w * c
    report(h)
    loss = h.sum()
    last = loss * c
    last.backward()


def marked(session):
    return {value.name for value in session.trace.values if value.stale is not None}


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ('print("h is", h.numpy())', False),
        ('print(\n    f"{float(h.sum()):.3f}",\n)', False),
        ('print("h is", kept.append(h.numpy()))', True),
        ('print(last := h.numpy())', True),
        ('kept = h.numpy(); print(1)', True),
        ('for number in h.tolist():\n    print(number)', True),
    ],
)  # fmt: skip
def test_what_is_only_printed_marks_nothing(record, tmp_path, line, marks):
    (tmp_path / "prints.py").write_text(
        "from minipaddle import paddle\nkept = []\nw = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"
        f"h = w * 3\n{line}\nloss = (h * h).sum()\nloss.backward()\n"
    )
    session, fork = forked(record, lambda: runpy.run_path(tmp_path / "prints.py"), "w", [5.0, 6.0])
    assert ({"loss", "w.grad"} <= marked(session)) is marks
    assert bool(marked(session)) is bool(fork.lost) is marks


def test_a_seed_that_is_made_of_what_was_read_is_marked(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        h = w * w
        h.backward(paddle.to_tensor(h.numpy()))

    session, _ = forked(record, script, "w", [5.0, 6.0])
    assert {"h@GRAD", "w@GRAD", "w.grad"} <= marked(session)
    assert not {"w", "h"} & marked(session)


def test_what_was_there_before_the_read_is_not_marked(record):
    session, fork = forked(record, lambda: two_steps(lambda h: h.sum().item()), "w", [5.0, 6.0])
    assert {"loss", "last", "w.grad"} <= marked(session)
    assert not {"w", "c", "h"} & marked(session)
    (said,) = fork.lost
    assert "h.sum().item()" in said


def test_a_read_that_gives_what_it_gave_marks_nothing(record):
    session, _ = forked(record, lambda: two_steps(lambda h: bool(h.min() > 0)), "w", [5.0, 6.0])
    assert marked(session) == set()
    session, _ = forked(record, lambda: two_steps(lambda h: bool(h.min() > 0)), "w", [-5.0, 6.0])
    assert "loss" in marked(session)


def test_gradients_of_what_was_there_are_not_marked(record):
    def script():
        w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        loss = (w * w).sum()
        kept = loss.item()
        loss.backward()
        after = w.grad * kept
        after.detach()

    session, _ = forked(record, script, "w", [5.0, 6.0])
    assert marked(session) == {"after"}
    (grad,) = [value for value in session.trace.values if value.name == "w.grad"]
    assert grad.array.tolist() == [10, 12]


@pytest.mark.parametrize("rate", [0.1, 0.2])
def test_updates_are_marked_only_if_the_rate_was_set_since(record, rate):
    def script():
        w = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        optimizer = paddle.optimizer.Adam(0.1, parameters=[w])
        losses = [(w * scale).sum() for scale in (2.0, 3.0)]
        losses[0].item()
        for loss in losses:
            loss.backward()
            optimizer.step()
            optimizer.set_lr(rate)

    session, _ = forked(record, script, "w", [5.0, 6.0])
    first, second = [event for event in session.trace.events if event.kind == "update"]
    assert not any(value.stale is not None for value in session.trace.known(first.outputs))
    (weight, *_) = session.trace.known(second.outputs)
    assert (weight.stale is not None) is (rate != 0.1)


def test_cards_and_json_and_files_say_so(record, tmp_path):
    session, _ = forked(record, lambda: two_steps(lambda h: h.sum().item()), "w", [5.0, 6.0])
    before = list(card(session, ASCII))
    assert not [line for line in before if "stale: " in line]
    assert "stale" not in event_object(session)
    save(session.trace, tmp_path / "fork.mpt")
    for one in (session, Session(load(tmp_path / "fork.mpt"))):
        one.goto("loss")
        (line,) = [line for line in card(one, ASCII) if "stale: " in line]
        assert "test_stale.py" in line
        assert "run the script again to know" in line
        told = json.loads(json.dumps(event_object(one)))
        assert "which was changed" in told["stale"][0]
        assert [value.get("stale") for value in (*told["in"], *told["out"])] == [None, True]


def test_pictures_pages_and_trees_say_so(record, tmp_path):
    session, _ = forked(record, lambda: two_steps(lambda h: h.sum().item()), "w", [5.0, 6.0])
    save(session.trace, tmp_path / "fork.mpt")
    for trace in (session.trace, load(tmp_path / "fork.mpt")):
        picture = Picture(mirror(trace), trace)
        nodes = {node["results"][0]["name"]: node for node in json.loads(picture.json())["nodes"]}
        boxes = dict(re.findall(r'^\t(\w+) \[label="([^"]*)"', picture.dot, re.MULTILINE))
        for name, stale in {"loss": True, "w.grad": True, "h": False, "w": False}.items():
            assert nodes[name]["results"][0].get("stale", False) is stale
            assert boxes[nodes[name]["id"]].endswith("\\n≈ stale") is stale
        assert "loss [] = 33 (≈ stale)" in picture.html()
        leaf = next(line for line in picture.text().splitlines() if "w  leaf" in line)
        assert leaf.endswith("≈ stale ▇█") or "≈ stale" in leaf
