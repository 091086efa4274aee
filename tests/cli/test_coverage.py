"""`minipaddle coverage` lists the Paddle names of a script without running it."""

import json


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
