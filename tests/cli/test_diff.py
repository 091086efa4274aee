"""`minipaddle diff`: two runs, two passes of one run, two modes."""

import json


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
