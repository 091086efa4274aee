"""The magics look at the recorded cells of a notebook, and at its variables."""

import pytest

from tests.support.kernel import kernel

BEGIN = """
%load_ext minipaddle
import paddle
w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
x = paddle.to_tensor([3.0, 4.0])
"""
TANH = """
class Tanh(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, z):
        y = paddle.tanh(z)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - y{power})
"""


@pytest.fixture(scope="module")
def one_kernel():
    with kernel() as cells:
        yield cells


@pytest.fixture
def run(one_kernel):
    """`run(cell)` runs a cell in a new notebook with `w` and `x`."""
    one_kernel.run("%reset -f\n%reload_ext minipaddle" + BEGIN.replace("%load_ext minipaddle", ""))
    return one_kernel.run


# -- why -------------------------------------------------------------------------------------------------------------


def test_why_explains_a_gradient_that_an_earlier_cell_has_computed(run):
    run("h = w * x")
    run("(h * h).sum().backward()")
    said = run("%why w.grad").text
    assert "w@GRAD = h@GRAD * x" in said
    assert "w@GRAD[1] = 16 * 4 = 64" in said
    assert "w.grad[0] is 18: one term" in run("%why w.grad[0]").text
    assert "h@GRAD" in run("%why h@GRAD").text


def test_what_stands_below_a_cell_magic_is_of_the_cell_where_it_stands(run):
    """`In` is IPython's own list of cells, by the numbers that the notebook shows."""
    said = run("%%step -c where\nnumber = len(In) - 1\n(w * x).sum().backward()").text
    number = int(run("print(number)").text)
    assert f"In[{number}]:3" in said
    said = run("%%step -c where\n(w * x).sum().backward()").text
    assert f"In[{number + 2}]:2" in said


def test_why_follows_an_edit(run):
    run("(w * x).sum().backward()")
    assert "the gradient of w is well: 3, 4" in run("%why w.grad").text
    run("w.clear_grad()\n(w * x * 10).sum().backward()")
    assert "the gradient of w is well: 30, 40" in run("%why w.grad").text


def test_why_tells_two_tensors_of_one_name_and_equal_numbers_apart(run):
    run("h = w * x\nh.sum().backward()")
    run("h = w * x")
    assert "h is another tensor now: run backward again" in run("%why h@GRAD").errors
    assert "h was made by multiply" in run("%why h").text


def test_why_of_what_equals_another_is_about_this_very_one(run):
    run(
        "a = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\nb = a.detach().clone()\nb.stop_gradient = False"
    )
    run("(a * 3).sum().backward()\n(b * 3).sum().backward()")
    assert "the gradient of b is well" in run("%why b.grad").text
    assert "the gradient of a is well" in run("%why a.grad").text


def test_why_there_is_no_gradient(run):
    run("(w * x).sum().backward()")
    assert "stop_gradient" in run("%why x.grad").text
    assert (
        "no cell has computed with lonely" in run("lonely = paddle.to_tensor([1.0, 1.0])\n%why lonely").errors
    )
    assert "there is no nothing" in run("%why nothing").errors


def test_why_knows_what_was_computed_before_the_magics_came(one_kernel):
    one_kernel.run("%unload_ext minipaddle\n%reset -f\nfrom minipaddle import paddle")
    one_kernel.run("v = paddle.to_tensor([2.0], stop_gradient=False)\nu = v * v")
    one_kernel.run("%load_ext minipaddle")
    one_kernel.run("u.backward()")
    assert "the gradient of v is well: 4" in one_kernel.run("%why v.grad").text


# -- graph -----------------------------------------------------------------------------------------------------------


def test_graph_above_a_cell_draws_what_the_cell_does(run):
    run("h = w * x")
    done = run("%%graph\nh.sum().backward()")
    assert "2 ops forward, 2 backward, pass 1 of 1" in done.of_kind("text/plain")
    assert ">w.grad<" in done.of_kind("image/svg+xml")
    again = run("%%graph\nloss = (w * x * x).sum()\nloss.backward()")
    assert "3 ops forward, 3 backward, pass 2 of 2" in again.of_kind("text/plain")


def test_graph_of_a_variable_is_that_of_its_own_pass_or_tape(run):
    run("one = (w * x).sum()\none.backward()\ntwo = (w + x).sum()\ntwo.backward()\nthree = paddle.tanh(w)")
    assert "pass 1 of 2" in run("%graph one").of_kind("text/plain")
    assert "pass 2 of 2" in run("%graph two").of_kind("text/plain")
    assert "backward not run yet" in run("%graph three").of_kind("text/plain")
    assert "no graph" in run("%graph x").errors
    assert "name 'nobody' is not defined" in run("%graph nobody").errors


def test_graph_takes_the_options_of_the_command(run):
    run("(w * x).sum().backward()\n(w + x).sum().backward()")
    assert "pass 1 of 2" in run("%graph --pass 1 --values none").of_kind("text/plain")
    assert "there is no pass 9" in run("%graph --pass 9").errors
    assert "No such option: --nonsense" in run("%graph --nonsense").errors
    assert "--highlight" in run("%graph --help").text
    assert "<iframe" in run("%graph --page").of_kind("text/html")


def test_graph_of_a_cell_without_backward(run):
    assert "backward not run yet" in run("%%graph\npaddle.tanh(w)").of_kind("text/plain")
    assert "nothing to draw" in run("%%graph\n1 + 1").errors
    failed = run("%%graph\nw @ paddle.ones([3, 3])")
    assert "In user code: Cell In[" in failed.errors
    assert "nothing to draw" not in failed.errors


def test_graph_of_a_program(run):
    run("paddle.enable_static()\np = paddle.static.data('p', [2], 'float32')\nq = paddle.tanh(p)")
    assert "tanh" in run("%graph q").of_kind("text/plain")
    run("paddle.static.Executor().run(feed={'p': [1, 2]}, fetch_list=[q])")
    assert "tanh" in run("%program").text
    run("paddle.disable_static()")


# -- step ------------------------------------------------------------------------------------------------------------


def test_step_above_a_cell_begins_with_the_cell(run):
    run("h = w * x")
    said = run("%%step -c next -c 'goto w@GRAD' -c why\nh = w + x\nh.sum().backward()").text
    assert said.startswith("┌ 1/")
    assert "add    forward" in said.splitlines()[0]
    assert "]:2" in said.splitlines()[0], "its lines are those of the cell as it stands"
    assert "w@GRAD = h #2@GRAD" in said


def test_step_alone_begins_with_all_that_was_done(run):
    run("h = w * x\nh.sum().backward()")
    assert run("%step -c next").text.startswith("┌ 0/")
    assert "backward" in run("%step -c end -c where").text
    assert "no command 'nonsense'" in run("%step -c nonsense").text


def test_step_without_commands_is_a_list(run):
    run("h = w * x\nh.sum().backward()")
    listed = run("%step").text.splitlines()
    assert [line.split()[1] for line in listed][:3] == ["multiply", "sum", "sum_grad"]


# -- checks ----------------------------------------------------------------------------------------------------------


def test_check_is_about_the_class_that_is_there_now(run):
    run(TANH.format(power=""))
    run("Tanh.apply(w).sum().backward()")
    assert "1 gradient checked, 1 wrong" in run("%check Tanh").text
    run(TANH.format(power=" * y"))
    assert "no gradient of Tanh was computed since it was defined" in run("%check Tanh").errors
    run("Tanh.apply(w).sum().backward()")
    assert "1 gradient checked, 0 wrong" in run("%check Tanh").text


def test_checks_of_all_that_was_done(run):
    run("paddle.log(w - 1).sum().backward()")
    assert "log_grad" in run("%check").text
    assert "log_grad" in run("%nan").text
    assert "log_grad" in run("%flow").text
    assert "tanh_grad  x  ok" in run("%check tanh").text


def test_what_the_magics_do_is_not_recorded(run):
    run("(w * x).sum().backward()")
    before = run("%step -c where").text
    run("%check")
    run("%check tanh")
    run("%graph")
    assert run("%step -c where").text == before


# -- the kernel ------------------------------------------------------------------------------------------------------


def test_a_long_training_is_recorded_to_its_end(run):
    run("from minipaddle.tools.cli.notebook import kernel\nkernel._MOST_EVENTS = 60")
    run(
        "sgd = paddle.optimizer.SGD(0.1, parameters=[w])\n"
        "for _ in range(30):\n    (w * x).sum().backward()\n    sgd.step()\n    sgd.clear_grad()"
    )
    picture = run("%graph").of_kind("text/plain")
    run("kernel._MOST_EVENTS = 50_000")
    assert "pass 30" in picture
    assert "w  leaf  " in picture


def test_a_full_recording_is_there_until_the_next_cell_computes(run):
    run("from minipaddle.tools.cli.notebook import kernel\nkernel._MOST_EVENTS = 60")
    run("for _ in range(30):\n    (w * x).sum().backward()")
    pictures = [run("%graph").of_kind("text/plain") for _ in range(2)]
    run("(w + x).sum().backward()")
    after = run("%graph").of_kind("text/plain")
    run("kernel._MOST_EVENTS = 50_000")
    assert ["pass 30 of 30" in picture for picture in pictures] == [True, True]
    assert "pass 31" in after
    assert "sum_0" not in after


def test_an_error_in_a_cell_has_its_hint(run):
    run("v = paddle.to_tensor([1.0])")
    assert "[Hint: v.grad is None: v has stop_gradient=True" in run("v.grad.numpy()").errors
    assert "[Hint" not in run("None.numpy()").errors


def test_the_mode_that_a_cell_leaves_is_that_of_the_next(run):
    run("paddle.enable_static()")
    assert run("print(paddle.in_dynamic_mode())").text == "False\n"
    run("paddle.disable_static()")
    assert run("print(paddle.in_dynamic_mode())").text == "True\n"


def test_the_language_is_that_of_the_reader():
    with kernel(LC_ALL="zh_CN.UTF-8") as cells:
        cells.run(BEGIN)
        cells.run("(w * x).sum().backward()")
        assert "w 的梯度" in cells.run("%why w.grad").text
        cells.run("%language en")
        assert "the gradient of w" in cells.run("%why w.grad").text
