"""Pictures from Python: of a tensor in hand, of a recording, in a notebook."""

import gc

import nbformat
import pytest
from nbclient import NotebookClient

import minipaddle
from minipaddle import paddle
from minipaddle.tools import picture as pictures


def net():
    paddle.seed(5)
    return paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.ReLU(), paddle.nn.Linear(4, 1))


@pytest.fixture
def loss():
    model = net()
    x = paddle.rand([5, 3])
    hidden = model(x)
    total = (hidden * hidden).mean()
    total.keep = (model, x)
    return total


def titles(picture, kind):
    return [node.title for node in picture.whole.nodes.values() if node.kind == kind]


def test_a_tensor_needs_no_preparation(loss):
    picture = pictures.graph(loss)
    assert titles(picture, "op") == ["matmul", "add", "relu", "matmul", "add", "multiply", "mean"]
    assert titles(picture, "grad") == [f"{title}_grad" for title in reversed(titles(picture, "op"))]
    assert picture.whole.subtitle == "7 ops forward, 7 backward, backward not run yet"
    (total,) = [
        node for node in picture.whole.nodes.values() if node.kind == "accumulate"
    ]  # hidden is used twice
    assert picture.trace.values[total.results[0].of].shape == (5, 1)
    assert (
        "0" not in picture.text().splitlines()[-1].rpartition("grad")[2].partition("]")[2]
    )  # no number made up


def test_it_is_the_graph_that_a_recording_has():
    with minipaddle.record() as run:
        model = net()
        total = (model(paddle.to_tensor([[1.0, 2.0, 3.0]])) ** 2).mean()
        total.backward(retain_graph=True)
    recorded, read = run.graph().whole, pictures.graph(total).whole

    def shape(graph):
        return sorted(
            (graph.nodes[edge.tail].kind, graph.nodes[edge.head].title.partition(".")[0], edge.kind)
            for edge in graph.edges
            if graph.nodes[edge.head].kind in ("op", "grad") and graph.nodes[edge.tail].kind != "data"
        )

    assert shape(read) == shape(recorded)


def test_names_come_from_the_caller_and_from_params(loss):
    model, _ = loss.keep
    total = loss
    assert "total" in pictures.graph(total).text()
    named = pictures.graph(loss, params=dict(model.named_parameters()))
    assert titles(named, "parameter") == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_what_is_kept_has_its_numbers(loss):
    picture = pictures.graph(loss)
    relu = next(node for node in picture.whole.nodes.values() if node.title == "relu")
    assert relu.results[0].shape == (5, 4)
    assert relu.results[0].array is not None
    add = next(node for node in picture.whole.nodes.values() if node.title == "add")
    assert add.results[0].dtype == ""  # nobody kept it


def test_after_backward_the_gradients_are_there(loss):
    model, _ = loss.keep
    loss.backward()
    picture = pictures.graph(loss, params=dict(model.named_parameters()))
    assert "freed" in picture.whole.subtitle
    store = next(node for node in picture.whole.nodes.values() if node.title == "2.bias.grad")
    assert store.results[0].array == pytest.approx(model[2].bias.grad.numpy())


def test_a_pylayer_a_split_and_two_roots():
    class Twice(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False)
    left, right = paddle.split(Twice.apply(x), 2)
    picture = pictures.graph([left.sum(), (left * right).sum()])
    assert titles(picture, "pylayer") == ["Twice"]
    assert len(titles(picture, "seed")) == 2
    assert {edge.label for edge in picture.whole.edges if edge.kind == "value"} >= {"left", "right"}


def test_a_picture_keeps_no_graph_alive(loss):
    import weakref

    picture = pictures.graph(loss)
    record = weakref.ref(loss.edge)
    del loss
    gc.collect()
    assert picture.whole.nodes
    assert record() is None or record().op.name == "mean"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (3, TypeError, "not int"),
        ([1], TypeError, "takes a Tensor"),
        (paddle.to_tensor([1.0]), ValueError, "there is no graph"),
    ],
)
def test_what_has_no_graph(given, error, said):
    with pytest.raises(error, match=said):
        pictures.graph(given)


def test_options_are_those_of_the_command_line(loss):
    assert "mean_grad" not in pictures.graph(loss, view="forward").dot
    assert "rankdir=LR" in pictures.graph(loss, direction="LR").dot
    with pytest.raises(ValueError, match="no regular expression"):
        pictures.graph(loss, collapse="(")


def test_within_a_recording_everything_is_known():
    with minipaddle.record() as run:
        x = paddle.to_tensor([2.0], stop_gradient=False)
        total = (x * x).exp()
        total.backward()
        inside = pictures.graph(total)
    assert inside.whole.subtitle == run.graph().whole.subtitle == "2 ops forward, 2 backward, pass 1 of 1"
    assert pictures.graph(run).whole.nodes.keys() == pictures.graph(run.trace).whole.nodes.keys()


def test_formats(loss, tmp_path):
    picture = pictures.graph(loss)
    assert picture.svg().lstrip().startswith(("<?xml", "<svg"))
    assert picture.html().startswith("<!DOCTYPE html>")
    assert '"schema": "minipaddle-graph"' in picture.json()
    for suffix in ("svg", "dot", "json", "html"):
        picture.save(tmp_path / f"a.{suffix}")
        assert (tmp_path / f"a.{suffix}").stat().st_size > 500


def test_show_opens_a_page(loss, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    pictures.graph(loss).show()
    (url,) = opened
    assert url.startswith("file:///")
    assert url.endswith(".html")


def test_open_opens_a_page_too(loss, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    pictures.graph(loss).open()
    assert opened[0].endswith(".html")


def test_a_repr_is_one_line(loss):
    assert (
        repr(pictures.graph(loss)) == "<Picture of the tape: 7 ops forward, 7 backward, backward not run yet>"
    )


def test_a_notebook_gets_a_picture_without_graphviz(loss, monkeypatch):
    monkeypatch.setenv("PATH", "")
    bundle = pictures.graph(loss)._repr_mimebundle_()
    assert bundle.keys() == {"text/html", "text/plain"}
    assert bundle["text/html"].startswith("<iframe")
    assert "linear_1.w_0" in bundle["text/plain"]


@pytest.mark.parametrize("path", ["/usr/bin", ""])
def test_a_repr_never_raises_and_names_the_fault(loss, monkeypatch, path):
    monkeypatch.setenv("PATH", path)
    bundle = pictures.graph(loss, focus="nope")._repr_mimebundle_()
    assert bundle.keys() == {"text/plain"}
    assert "nope" in bundle["text/plain"]


CELLS = [
    "import minipaddle\nfrom minipaddle import paddle\nfrom minipaddle.tools import picture as pictures",
    "x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\nloss = (x * x).sum()\npictures.graph(loss)",
    "with minipaddle.record() as run:\n    loss = (x * x).sum()\n    loss.backward()\nrun.graph(layout='tape')",
    "run.graph().show()",
]


def test_in_a_notebook():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells[1:]:
        (output,) = cell.outputs
        assert {"image/svg+xml", "text/plain"} <= output["data"].keys()
        assert "loss" in output["data"]["image/svg+xml"]


def test_a_program_is_drawn_without_a_run():
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main, paddle.static.Program()):
            x = paddle.static.data("x", [2, 3], "float32")
            w = paddle.create_parameter([3, 1], "float32")
            loss = paddle.mean(paddle.matmul(x, w))
            paddle.static.append_backward(loss)
    finally:
        paddle.disable_static()
    picture = pictures.graph(main)
    assert titles(picture, "op") == ["matmul", "mean"]
    assert titles(picture, "grad") == ["mean_grad", "matmul_grad"]
    assert pictures.graph(loss).dot == picture.dot  # a Variable stands for its Program


def test_a_recording_or_program_without_backward_has_a_text():
    with minipaddle.record() as run:
        y = paddle.to_tensor([1.0, 2.0]) * 2
    assert y.shape == [2]
    assert "y  scale  [2]" in run.graph().text()
    assert "y  scale  [2]" in run.graph()._repr_mimebundle_()["text/plain"]
    program = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(program, paddle.static.Program()):
            x = paddle.static.data("x", [2], "float32")
            paddle.exp(x)
        assert "exp" in program.draw().text()
        assert "image/svg+xml" in program.draw()._repr_mimebundle_()
    finally:
        paddle.disable_static()


WRONG = {"view": "x", "layout": "foo", "direction": "q", "values": "q", "fold": "x", "depth": -1}


@pytest.mark.parametrize(("option", "value"), WRONG.items(), ids=WRONG.keys())
def test_an_option_that_does_not_exist_is_refused(loss, option, value):
    with pytest.raises(ValueError, match=f"{option} {value!r}: "):
        pictures.graph(loss, **{option: value})


def test_a_tape_draws_what_an_earlier_pass_applied_among_all_operators():
    x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
    (slope,) = paddle.grad(x * x, x, create_graph=True)
    graph = pictures.graph(slope).whole
    assert graph.clusters == {}
    forward = [node.title for node in graph.nodes.values() if node.side == "forward" and node.op]
    assert sorted(forward) == ["add", "multiply", "multiply"]
