"""`minipaddle trace`, and recordings in the place of scripts."""

import zipfile

import pytest

SCRIPT = """
    import paddle

    net = paddle.nn.Linear(2, 1)
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    for number in range(3):
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        print("step", number)
"""


@pytest.fixture
def script(write_script):
    return write_script(SCRIPT)


def test_a_recording_stands_where_a_script_stands(run_cli, script, tmp_path):
    run_cli("trace", script, "-o", tmp_path / "run.mpt", "--seed", "1").ended(0, told="wrote")
    live = run_cli("step", script, "--seed", "1", "-c", "goto loss", "-c", "why")
    read = run_cli("step", tmp_path / "run.mpt", "-c", "goto loss", "-c", "why")
    assert read.returncode == 0
    assert live.stdout == "step 0\n" + read.stdout
    assert "loss" in run_cli("graph", tmp_path / "run.mpt").stdout


@pytest.mark.parametrize(
    ("options", "steps", "passes"),
    [((), 1, 1), (("--pass", "2"), 2, 1), (("--passes", "all"), 3, 3), (("--pass", "3"), 3, 1)],
)
def test_how_much_is_recorded(run_cli, script, tmp_path, options, steps, passes):
    done = run_cli("trace", script, "-o", tmp_path / "run.mpt", *options)
    assert done.stdout.count("step") == steps
    assert ("--passes all for all" in done.stderr) == (steps < 3)
    listed = run_cli("step", tmp_path / "run.mpt", "--json", *(["-c", "step"] * 40))
    assert (
        len({line.split('"pass": ')[1][0] for line in listed.stdout.splitlines() if '"kind": "grad' in line})
        == passes
    )


def test_a_recording_whose_numbers_are_damaged_is_told_at_the_prompt(run_cli, script, tmp_path):
    run_cli("trace", script, "-o", tmp_path / "run.mpt")
    with zipfile.ZipFile(tmp_path / "run.mpt") as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "run.mpt", "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, b"broken" if name.startswith("arrays/") else content)
    done = run_cli("step", tmp_path / "run.mpt", "-c", "step", "-c", "why")
    assert "is damaged" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
