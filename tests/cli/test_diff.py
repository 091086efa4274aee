"""`minipaddle diff`: two runs, two passes of one run, two modes."""

import json

from tests.support.scripts import CUBE


def test_diff_names_the_first_difference(run_cli, write_script, tmp_path):
    one = write_script(CUBE)
    other = tmp_path / "other.py"
    other.write_text(one.read_text().replace("dy * 3 * x", "dy * 3 * x * x"))
    done = run_cli("diff", one, other)
    assert done.returncode == 3
    assert done.stdout.startswith("gradient   Cube_grad")
    assert run_cli("diff", one, one).returncode == 0


def test_diff_tells_of_the_structure_first(run_cli, write_script, tmp_path):
    body = "import paddle\nx = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)\n"
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(body + "y = paddle.exp(x * 2)\npaddle.tanh(y).sum().backward()\n")
    other.write_text(
        body + "y = paddle.exp(x * 3)\nz = paddle.concat([paddle.sin(y), y])\nz.sum().backward()\n"
    )
    lines = run_cli("diff", one, other).stdout.splitlines()
    kinds = [line.split()[0] for line in lines[:-1]]
    assert kinds[0] == "removed"
    assert max(kinds.index(kind) for kind in ("removed", "added", "shape")) < kinds.index("value")
    assert "value      scale              scale_0 2, 4 | scale_0 3, 6" in "\n".join(lines)
    assert lines[-1].startswith("structure: 2 removed, 4 added, 1 shape; values and gradients that differ: ")
    data = json.loads(run_cli("diff", one, other, "--json").stdout)["diff"]
    assert [found["kind"] for found in data] == kinds
    assert {found["other"] is None for found in data if found["kind"] in ("added", "removed")} == {True}


EQUAL = """
import paddle

w = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
v = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
h = w * 1.0
for _ in range(2):
    h = paddle.tanh(h * {factor})
h.sum().backward()
"""


def test_equal_leaves_are_told_apart(run_cli, write_script):
    one, other = (write_script(EQUAL.format(factor=name), f"{name}.py") for name in "vw")
    done = run_cli("diff", one, other)
    assert done.returncode == 3
    *lines, counts = done.stdout.splitlines()
    said = "rewired    multiply           takes v | w: elsewhere another stands there  v.py:7 | w.py:7"
    assert [line for line in lines if line.startswith("rewired")] == [said, said]
    assert counts == "structure: 2 rewired; values and gradients that differ: 0"
    assert run_cli("diff", one, one).stdout == "nothing differs\n"


def test_diff_names_what_was_given_first(run_cli, tmp_path):
    script = tmp_path / "net.py"
    script.write_text(
        "import sys, paddle\nx = paddle.to_tensor([float(sys.argv[1])], stop_gradient=False)\n"
        "paddle.tanh(x).backward()\n"
    )
    lines = run_cli("diff", f"{script} 1", f"'{script}' 2").stdout.splitlines()
    assert lines[0].startswith("value      tanh               given: x 1 | x 2  relative difference 0.5")
    assert run_cli("diff", f"{script} 1", f"{script} 1").stdout == "nothing differs\n"
    unbalanced = run_cli("diff", f"{script} '1", script)
    assert (unbalanced.returncode, "No closing quotation" in unbalanced.stderr) == (2, True)
    spaced = script.rename(tmp_path / "my net.py")
    assert "IndexError" in run_cli("diff", spaced, spaced).stderr  # it ran, and missed its argument


def test_settings_and_modules_of_one_script_are_not_those_of_the_other(run_cli, tmp_path):
    """Both find a `layers.py` beside them, and only one asks for float64."""
    body = "import paddle\nfrom layers import f\nx = paddle.to_tensor([0.5], stop_gradient=False)\nf(x).backward()\n"
    for folder, setting, function in (
        ("one", "set_default_dtype('float64')", "tanh"),
        ("two", "in_dynamic_mode()", "sin"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "layers.py").write_text(f"from paddle import {function} as f\n")
        (tmp_path / folder / "net.py").write_text(f"import paddle\npaddle.{setting}\n{body}print(x.dtype)\n")
    done = run_cli("diff", "one/net.py", "two/net.py", cwd=tmp_path)
    assert done.stdout.splitlines()[:2] == ["paddle.float64", "paddle.float32"]
    assert "removed    tanh" in done.stdout
    assert "added      sin" in done.stdout


TWO_PASSES = """
    import paddle
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (w * w).sum().backward()
    (w * w * w).sum().backward()
"""


def test_two_passes_of_one_script_are_compared(run_cli, write_script):
    script = write_script(TWO_PASSES)
    done = run_cli("diff", script, "--pass", "1", "--pass-b", "2")
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1].startswith("structure: 2 added; ")
    assert run_cli("diff", script, script, "--pass", "2").returncode == 0
    missing = run_cli("diff", script, "--pass", "1", "--pass-b", "7")
    assert missing.returncode == 2
    assert "there is no pass 7: the script ran 2 backward passes" in missing.stderr


def test_eager_and_static_of_one_network_are_compared(run_cli, write_script, tmp_path):
    body = """
import numpy as np
import paddle
W = np.array([[0.5, -0.25], [0.25, 1.0]], "float32")
A = np.array([[1.0, 2.0]], "float32")
"""
    eager = tmp_path / "eager.py"
    eager.write_text(
        body
        + "w = paddle.to_tensor(W, stop_gradient=False)\nx = paddle.to_tensor(A)\n"
        + "loss = paddle.mean(paddle.tanh(paddle.matmul(x, w)))\nloss.backward()\n"
    )
    static = tmp_path / "static.py"
    static.write_text(
        body
        + "paddle.enable_static()\nx = paddle.static.data('x', [1, 2])\nw = paddle.static.data('w', [2, 2])\n"
        + "w.stop_gradient = False\nloss = paddle.mean(paddle.tanh(paddle.matmul(x, w)))\n"
        + "paddle.static.append_backward(loss)\nexe = paddle.static.Executor()\n"
        + "exe.run(feed={'x': A, 'w': W}, fetch_list=[loss])\n"
    )
    done = run_cli("diff", eager, static)
    assert done.returncode == 0, done.stdout


BOTH_MODES = """
    import sys
    import numpy as np
    import paddle
    from paddle import nn

    static = sys.argv[1] == "static"
    if static:
        paddle.enable_static()
    paddle.seed(0)

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.zoom = nn.Linear(3, 2)
            self.norm = nn.BatchNorm1D(2)
            self.add = nn.Linear(2, 1)

        def forward(self, x):
            return self.add(nn.functional.relu(self.norm(self.zoom(x))) ** 2 - 0.5)

    net, X = Net(), np.random.RandomState(0).randn(4, 3).astype("float32")
    clip = nn.ClipGradByGlobalNorm(float(sys.argv[2]))
    optimizer = paddle.optimizer.Momentum(0.1, parameters=None if static else net.parameters(), grad_clip=clip)
    loss = (net(paddle.static.data("x", [4, 3]) if static else paddle.to_tensor(X)) ** 2).mean()
    if static:
        optimizer.minimize(loss)
        exe = paddle.static.Executor()
        exe.run(paddle.static.default_startup_program())
        exe.run(feed={"x": X}, fetch_list=[loss])
    else:
        loss.backward()
        optimizer.step()
"""


def test_one_script_in_both_modes_differs_in_nothing(run_cli, write_script):
    """Startup Programs begin the parameters, the power becomes a tensor, and parameters are updated by name."""
    script = write_script(BOTH_MODES)
    same = run_cli("diff", f"{script} eager 0.01", f"{script} static 0.01")
    assert (same.returncode, same.stdout) == (0, "nothing differs\n"), same.stdout + same.stderr
    other = run_cli("diff", f"{script} eager 0.01", f"{script} static 0.02")
    assert other.returncode == 3
    assert "zoom.weight" in other.stdout
    assert "structure: " not in other.stdout
