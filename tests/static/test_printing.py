"""static.Print, accuracy, CompiledProgram and what else scripts ask for."""

import numpy as np
import pytest

from minipaddle import paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")
X = np.array([1.5, 2.0], "float32")


@pytest.fixture(autouse=True)
def both_ways_agree():
    """Run once: what is printed is counted here."""


def placeholder():
    x = S.data("x", [2])
    x.stop_gradient = False
    return x


def run(*fetches, feed=X):
    return S.Executor().run(feed={"x": feed}, fetch_list=list(fetches))


def test_print_shows_value_and_gradient(capsys):
    x = placeholder()
    y = S.Print(x * 2.0, message="here")
    (grad,) = S.gradients(paddle.sum(y * 3.0), [x])
    assert np.array_equal(run(y, grad)[1], [6, 6])
    told = capsys.readouterr().out
    assert "Variable: tmp_0\n  - message: here" in told
    assert "data: [3 4]" in told
    assert "Variable: print_0.tmp_0@GRAD" in told
    assert "data: [3 3]" in told


def test_print_can_be_told_what_to_show(capsys):
    options = {f"print_tensor_{what}": False for what in ("name", "type", "shape", "layout", "lod")}
    y = S.Print(placeholder(), summarize=1, **options)
    run(y)
    assert capsys.readouterr().out.splitlines() == ["  - place: Place(cpu)", "  - data: [1.5]"]


def test_print_speaks_in_its_phase_only(capsys):
    x = placeholder()
    y = S.Print(x, print_phase="backward")
    (grad,) = S.gradients(paddle.sum(y), [x])
    run(grad)
    told = capsys.readouterr().out
    assert told.count("Variable:") == 1
    assert "@GRAD" in told
    with pytest.raises(ValueError, match="print_phase"):
        S.Print(x, print_phase="never")
    with pytest.raises(TypeError, match="input"):
        S.Print(X)


def test_print_speaks_the_first_times_only(capsys):
    y = S.Print(placeholder(), first_n=2)
    exe = S.Executor()
    for _ in range(4):
        exe.run(feed={"x": X}, fetch_list=[y])
    assert capsys.readouterr().out.count("Variable:") == 2


def test_print_comes_back_from_a_file(capsys, tmp_path):
    x = placeholder()
    S.save_inference_model(str(tmp_path / "model"), [x], [S.Print(x, message="kept")], S.Executor())
    program, feeds, fetches = S.load_inference_model(str(tmp_path / "model"))
    S.Executor().run(program, {feeds[0]: X}, fetches)
    assert "kept" in capsys.readouterr().out


def test_a_compiled_program_runs_as_the_program():
    y = paddle.exp(placeholder())
    strategy = S.BuildStrategy()
    strategy.fuse_elewise_add_act_ops = True
    compiled = S.CompiledProgram(S.default_main_program(), build_strategy=strategy)
    assert np.array_equal(S.Executor().run(compiled, {"x": X}, [y])[0], run(y)[0])
    with pytest.raises(TypeError, match="program_or_graph"):
        S.CompiledProgram("program")


def test_places():
    assert len(S.cpu_places(2)) == 2
    with pytest.raises(AssertionError, match="CUDA"):
        S.cuda_places()


def test_accuracy_counts_the_k_best():
    scores, label = S.data("scores", [-1, 3]), S.data("label", [-1, 1], "int64")
    found = [S.accuracy(scores, label, k=k) for k in (1, 2, 3)]
    feed = {"scores": np.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]], "float32"), "label": np.array([[1], [2]])}
    assert [float(one) for one in S.Executor().run(feed=feed, fetch_list=found)] == [0.5, 0.5, 1.0]
