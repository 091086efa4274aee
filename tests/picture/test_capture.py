"""Paddle's own ways to dump a graph: same names, same files, same errors; and a page beside them."""

import re

import pytest

from minipaddle import paddle
from minipaddle.paddle.utils import capture_backward_subgraph_guard, capture_forward_subgraph_guard

STAMP = re.compile(r"^\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d\.\d+_")


def names(directory):
    return sorted(STAMP.sub("", path.name) for path in directory.iterdir())


def text(directory, ending):
    (path,) = [path for path in directory.iterdir() if path.name.endswith(ending)]
    return path.read_text(encoding="utf-8")


PADDLES_OWN = ["backward_graph.dot", "call_stack.log", "ref_forward_graph.dot"]


@pytest.fixture
def x():
    return paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def test_backward_into_a_directory(x, tmp_path):
    loss = paddle.tanh(x * 2).sum()
    loss.backward(dump_backward_graph_path=str(tmp_path / "new" / "deep"))
    directory = tmp_path / "new" / "deep"
    assert names(directory) == sorted([*PADDLES_OWN, "graph.html"])
    drawn = text(directory, "_backward_graph.dot")
    assert [title for title in ("sum_grad", "tanh_grad", "scale_grad") if title in drawn] == [
        *("sum_grad", "tanh_grad", "scale_grad")
    ]
    assert "x.grad" in drawn
    assert "tanh_grad" not in text(directory, "_ref_forward_graph.dot")
    assert text(directory, "_call_stack.log").split() == ["sum", "tanh", "scale"]
    assert "x.grad" in text(directory, "_graph.html")
    assert x.grad.tolist() == pytest.approx([0.1413, 0.00268], abs=1e-4)


def test_the_functions_take_it_too(x, tmp_path):
    paddle.autograd.backward([(x * x).sum()], dump_backward_graph_path=str(tmp_path / "a"))
    paddle.grad((x * x).sum(), [x], dump_backward_graph_path=str(tmp_path / "b"))
    assert "graph.html" in names(tmp_path / "a")
    assert "graph.html" in names(tmp_path / "b")


def test_the_guard_takes_every_pass(x, tmp_path):
    loss = (x * x).sum()
    with capture_backward_subgraph_guard(str(tmp_path), need_dump_grad_tensors=True):
        loss.backward()
        (x * 3).sum().backward()
    assert names(tmp_path).count("backward_graph.dot") == 2
    gradients = [
        path.read_text("utf-8") for path in sorted(tmp_path.iterdir()) if "grad_tensors" in path.name
    ]
    assert "x.grad [2] float32 2, 4" in gradients[0]
    assert "x.grad [2] float32 5, 7" in gradients[1]


def test_without_a_pass_there_is_no_file(tmp_path):
    with capture_backward_subgraph_guard(str(tmp_path)):
        pass
    assert names(tmp_path) == []


def test_forward_guard(x, tmp_path, monkeypatch):
    monkeypatch.setattr("minipaddle.tools.picture.draw.render.ENGINES", {})
    with capture_forward_subgraph_guard(str(tmp_path / "f")):
        paddle.tanh(x * 2)
    assert {path.name for path in tmp_path.iterdir()} == {"f", "f.html"}
    assert "tanh" in (tmp_path / "f").read_text(encoding="utf-8")
    with capture_forward_subgraph_guard(str(tmp_path / "empty")):
        pass
    assert not (tmp_path / "empty").exists()


def test_forward_guard_draws_as_paddle_does(x, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "minipaddle.tools.picture.draw.render.ENGINES", {"dot": lambda source, format: f"%{format}".encode()}
    )
    with capture_forward_subgraph_guard(str(tmp_path / "f")):
        paddle.tanh(x)
    assert (tmp_path / "f.pdf").read_bytes() == b"%pdf"


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [(3, AssertionError, "path must be string type"), ("", OSError, "Create '' failed")],
)
def test_bad_places(x, path, error, said):
    with pytest.raises(error, match=said):
        (x * 2).sum().backward(dump_backward_graph_path=path)
    assert x.grad is None
    with (
        pytest.raises(AssertionError, match="dump_dir_path should not be None"),
        capture_backward_subgraph_guard(None),
    ):
        pass


def test_an_error_within_is_not_hidden(x, tmp_path):
    def fails():
        with capture_backward_subgraph_guard(str(tmp_path)):
            (x * 2).sum().backward()
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fails()
