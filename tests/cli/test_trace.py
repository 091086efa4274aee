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


def test_statistics_only(run_cli, script, tmp_path):
    run_cli("trace", script, "-o", tmp_path / "run.mpt", "--values", "stats")
    run_cli("step", tmp_path / "run.mpt", "-c", "why").ended(0, "matmul")


@pytest.mark.parametrize("name", ["run.zip", "nowhere/run.mpt"])
def test_a_place_that_cannot_be_written_is_refused_before_the_script_runs(run_cli, script, tmp_path, name):
    done = run_cli("trace", script, "-o", tmp_path / name)
    assert done.returncode == 2
    assert done.stdout == ""


def test_what_is_no_recording_is_refused(run_cli, tmp_path):
    (tmp_path / "bad.mpt").write_bytes(b"nothing")
    for name, said in (("bad.mpt", "no recording"), ("missing.mpt", "No such file")):
        run_cli("step", tmp_path / name).ended(2, told=said)


def test_a_recording_whose_numbers_are_damaged_is_told_at_the_prompt(run_cli, script, tmp_path):
    import zipfile

    run_cli("trace", script, "-o", tmp_path / "run.mpt")
    with zipfile.ZipFile(tmp_path / "run.mpt") as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "run.mpt", "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, b"broken" if name.startswith("arrays/") else content)
    done = run_cli("step", tmp_path / "run.mpt", "-c", "step", "-c", "why")
    assert "is damaged" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["flow", "nan", "check"])
def test_without_values_the_tape_remains_and_nothing_is_claimed(run_cli, script, tmp_path, command):
    run_cli("trace", script, "-o", "run.mpt", "--values", "none", cwd=tmp_path)
    with zipfile.ZipFile(tmp_path / "run.mpt") as archive:
        assert not [name for name in archive.namelist() if name.startswith("arrays/")]
    run_cli(command, "run.mpt", cwd=tmp_path).ended(2, told="knows nothing of the values")
    said = run_cli("step", "run.mpt", "-c", "goto end", "-c", "back", "-c", "why", "-c", "nan", cwd=tmp_path)
    assert "*** this recording knows nothing of the values" in said.stdout
    assert "rule" in said.stdout
    assert "numbers" not in said.stdout
    assert "Traceback" not in said.stderr
    assert run_cli("graph", "run.mpt", "-o", "run.svg", cwd=tmp_path).returncode == 0


def test_it_is_told_that_threads_are_not_recorded(run_cli, write_script, tmp_path):
    script = write_script("""
        import threading
        import paddle

        x = paddle.to_tensor([1.0], stop_gradient=False)
        thread = threading.Thread(target=lambda: (x * 2).sum().backward(), name="mine")
        thread.start()
        thread.join()
        (x * 5).sum().backward()
        print(x.grad.item())
    """)
    done = run_cli("trace", script, "-o", tmp_path / "a.mpt")
    assert done.stdout == "7.0\n"
    assert "threads were started (mine): what they computed is not recorded" in done.stderr
    drawn = run_cli("graph", tmp_path / "a.mpt").stdout.splitlines()[0]
    assert drawn.endswith("2 backward, pass 1"), "the thread's pass was the first of two"


def test_what_a_thread_may_have_done_is_not_denied(run_cli, write_script):
    script = write_script("""
        import threading
        import paddle

        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = x * 2
        thread = threading.Thread(target=y.backward)
        thread.start()
        thread.join()
    """)
    drawn = run_cli("graph", script).stdout
    assert drawn.startswith("script.py · 1 op forward, no backward pass was recorded")
    assert "not run" not in drawn
    assert "no backward pass was recorded" in run_cli("flow", script).stderr
