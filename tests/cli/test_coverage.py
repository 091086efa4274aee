"""`minipaddle coverage` lists the Paddle names of a script without running it."""

import json

from minipaddle.engine.names.refused import refusal

SCRIPT = """
    import paddle
    import paddle.nn.functional as F
    from paddle.nn import Linear

    raise SystemExit("this script must not be run")
    x = paddle.to_tensor([1.0])
    y = F.relu(Linear(1, 1)(x)) + F.relu(x)
"""


def test_all_names_are_here(run_cli, write_script):
    done = run_cli("coverage", write_script(SCRIPT))
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["here", "paddle.nn.Linear", "lines", "3,", "7"] in lines
    assert ["here", "paddle.to_tensor", "line", "6"] in lines
    assert done.stdout.endswith("4 names of Paddle, 0 of them missing\n")


def test_a_missing_name_is_exit_code_4_with_its_neighbour(run_cli, write_script):
    script = write_script("import paddle\n\nx = paddle.too_tensor([1.0])\n")
    done = run_cli("coverage", script)
    assert done.returncode == 4
    assert done.stdout.split()[:5] == ["MISSING", "paddle.too_tensor", "line", "3", "nearest:"]
    assert "paddle.to_tensor" in done.stdout


def test_json(run_cli, write_script):
    script = write_script("import paddle\npaddle.ones([1]); paddle.too_tensor([1.0])", "网络.py")
    done = run_cli("coverage", script, "--json", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 4
    data = json.loads(done.stdout)
    assert data["script"] == str(script)
    assert data["missing"] == 1
    assert data["names"][0] == {
        "name": "paddle.ones",
        "lines": [2],
        "present": True,
        "nearest": [],
        "refused": None,
    }
    assert data["names"][1]["nearest"][0] == "paddle.to_tensor"


def test_what_is_refused_on_purpose_says_why(run_cli, write_script):
    script = write_script("import paddle\nx = paddle.sparse.sparse_coo_tensor([[0]], [1.0])\npaddle.gone\n")
    done = run_cli("coverage", script)
    assert done.returncode == 4
    assert "refused  paddle.sparse.sparse_coo_tensor  line 2  sparse tensors store only" in done.stdout
    assert done.stdout.endswith("2 names of Paddle, 2 of them missing, 1 refused on purpose\n")
    data = json.loads(run_cli("coverage", script, "--json").stdout)
    assert [name["refused"] for name in data["names"]] == [None, refusal("paddle.sparse")]


def test_a_script_without_paddle(run_cli, write_script):
    done = run_cli("coverage", write_script("print(1)"))
    assert done.returncode == 0
    assert "0 names of Paddle" in done.stdout


def test_no_such_script(run_cli, tmp_path):
    done = run_cli("coverage", tmp_path / "nothing.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no file" in done.stderr


def test_a_syntax_error_shows_the_line(run_cli, write_script):
    done = run_cli("coverage", write_script("x = 1\nx = = 2\n"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2" in done.stderr
    assert "x = = 2" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_long_name_is_whole(run_cli, write_script):
    name = "gone_" + "x" * 90
    done = run_cli("coverage", write_script(f"import paddle\npaddle.{name}\n"))
    assert f"paddle.{name}" in "".join(line[9:].split()[0] for line in done.stdout.splitlines()[:-1])
